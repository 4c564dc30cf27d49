"""Proximal policy optimization on vector environments of Ferrodyn, in one file.

::

    python ppo.py --task HalfCheetah-v5 --steps 1000000

The actor is a normal distribution whose mean is a small network of the observation; advantages are generalized
(GAE), observations and rewards scaled by what was seen so far. The method: Schulman and others, arXiv:1707.06347.
"""

import argparse
import time
from collections import deque

import numpy as np
import torch
from torch import nn
from torch.distributions import Normal

import ferrodyn.gym


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="HalfCheetah-v5")
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--steps", type=int, default=1_000_000, help="of all environments together")
    parser.add_argument("--horizon", type=int, default=64, help="steps between updates")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--minibatch", type=int, default=256)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--gae-lambda", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.0)
    parser.add_argument("--target", type=float, help="return to stop at")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


class Scale:
    """Mean and variance of all rows seen so far."""

    def __init__(self, *shape):
        self.mean, self.var, self.count = np.zeros(shape), np.ones(shape), 1e-4

    def see(self, rows):
        mean, var, count = rows.mean(0), rows.var(0), len(rows)
        total, delta = self.count + count, mean - self.mean
        self.var = self.var * self.count + var * count + delta**2 * self.count * count / total
        self.mean, self.var, self.count = self.mean + delta * count / total, self.var / total, total

    def observations(self, rows):
        scaled = np.clip((rows - self.mean) / np.sqrt(self.var + 1e-8), -10, 10)
        return torch.as_tensor(scaled, dtype=torch.float32)


def network(inputs, outputs, last):
    linear = nn.Linear(inputs, 64), nn.Linear(64, 64), nn.Linear(64, outputs)
    for layer, gain in zip(linear, (2**0.5, 2**0.5, last)):
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(linear[0], nn.Tanh(), linear[1], nn.Tanh(), linear[2])


class Agent(nn.Module):
    """A value for each observation, and a distribution of actions."""

    def __init__(self, observed, acted):
        super().__init__()
        self.critic = network(observed, 1, 1.0)
        self.mean = network(observed, acted, 0.01)
        self.log_std = nn.Parameter(torch.zeros(acted))

    def value(self, x):
        return self.critic(x).squeeze(-1)

    def policy(self, x):
        return Normal(self.mean(x), self.log_std.exp(), validate_args=False)


def main():
    args = arguments()
    torch.manual_seed(args.seed)
    # networks this small are slower on more threads
    torch.set_num_threads(1)
    rng = np.random.default_rng(args.seed)
    # new episodes begin in the same step, and `final_obs` has the end of those that are over
    envs = ferrodyn.gym.make_vec(args.task, args.envs, autoreset_mode="SameStep")
    low, high = envs.single_action_space.low, envs.single_action_space.high
    observed, acted = envs.single_observation_space.shape[0], envs.single_action_space.shape[0]
    agent = Agent(observed, acted)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    seen, gains = Scale(observed), Scale()
    discounted, returns = np.zeros(args.envs), np.zeros(args.envs)
    episodes = deque(maxlen=64)

    shape = (args.horizon, args.envs)
    xs, actions = torch.zeros(*shape, observed), torch.zeros(*shape, acted)
    logs, values, rewards, ends = (torch.zeros(shape) for _ in range(4))
    observation, _ = envs.reset(seed=args.seed)
    start, updates = time.time(), args.steps // (args.horizon * args.envs)
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - update / updates)

        # act
        for t in range(args.horizon):
            seen.see(observation)
            with torch.no_grad():
                xs[t] = seen.observations(observation)
                policy = agent.policy(xs[t])
                actions[t] = policy.sample()
                logs[t], values[t] = policy.log_prob(actions[t]).sum(-1), agent.value(xs[t])
            action = np.clip(actions[t].numpy(), low, high)
            observation, reward, terminated, truncated, infos = envs.step(action)
            ended = terminated | truncated
            returns += reward
            episodes.extend(returns[ended])
            discounted = discounted * args.gamma + reward
            gains.see(discounted)
            returns[ended] = discounted[ended] = 0
            reward = np.clip(reward / np.sqrt(gains.var + 1e-8), -10, 10)
            if (cut := truncated & ~terminated).any():
                # the time limit is no end: what would have followed has its value
                with torch.no_grad():
                    rest = agent.value(seen.observations(np.stack(infos["final_obs"][cut])))
                reward[cut] += args.gamma * rest.numpy()
            rewards[t], ends[t] = torch.as_tensor(reward), torch.as_tensor(ended)

        # advantages, from the last step to the first
        with torch.no_grad():
            following = agent.value(seen.observations(observation))
        advantages, advantage = torch.zeros(shape), 0.0
        for t in reversed(range(args.horizon)):
            goes_on = 1 - ends[t]
            error = rewards[t] + args.gamma * goes_on * following - values[t]
            advantage = error + args.gamma * args.gae_lambda * goes_on * advantage
            advantages[t], following = advantage, values[t]
        targets = advantages + values

        # learn
        batch = [array.flatten(0, 1) for array in (xs, actions, logs, advantages, targets)]
        for _ in range(args.epochs):
            order = rng.permutation(len(batch[0]))
            for rows in np.array_split(order, len(order) // args.minibatch):
                x, action, log, advantage, target = (array[rows] for array in batch)
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                policy = agent.policy(x)
                ratio = (policy.log_prob(action).sum(-1) - log).exp()
                clipped = ratio.clamp(1 - args.clip, 1 + args.clip)
                gain = torch.min(ratio * advantage, clipped * advantage).mean()
                entropy = policy.entropy().sum(-1).mean()
                error = (agent.value(x) - target).square().mean()
                loss = error / 4 - gain - args.entropy * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()

        mean = np.mean(episodes) if episodes else float("nan")
        full = len(episodes) == episodes.maxlen
        reached = args.target is not None and full and mean >= args.target
        if (update + 1) % 10 == 0 or update + 1 == updates or reached:
            steps, seconds = (update + 1) * args.horizon * args.envs, time.time() - start
            cpu = time.process_time()
            line = f"{steps:9,d} steps {seconds:6.1f} s ({cpu:.1f} of processor)"
            print(f"{line}  return {mean:8.1f}", flush=True)
        if reached:
            break


if __name__ == "__main__":
    main()
