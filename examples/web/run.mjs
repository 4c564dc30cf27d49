// Runs the WebAssembly module: a humanoid in MJCF is loaded and falls to the ground, and its state after 10,000 steps
// must have the bits that it has in every other build. Usage: node run.mjs MODULE MODEL
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** State after 10,000 steps; the tests of determinism (crates/ferrodyn/tests/determinism.rs) have the same number. */
const FINGERPRINT = 0xfdb9_031f_9709_98b8n;

/** The worlds of a batch after 40 calls, as in the same tests. */
const BATCH_FINGERPRINT = 0x0e4f_5c37_058c_c12bn;

const [modulePath, modelPath] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(modulePath), {});
const engine = instance.exports;

/** Writes a text into the module's memory. */
function put(text) {
  const bytes = new TextEncoder().encode(text);
  const address = engine.input(bytes.length);
  new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
}

/** What the last failure says. */
function message() {
  return new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.message(), engine.message_len()));
}

/** Fails with the module's message where a call did not work. */
function check(worked) {
  assert.ok(worked, worked ? undefined : message());
}

// the whole way from text to a state
const start = performance.now();
put(readFileSync(modelPath, "utf8"));
check(engine.load());
const loaded = performance.now();
check(engine.step(10_000));
const stepped = performance.now();
const hash = BigInt.asUintN(64, engine.state_hash());
console.log(
  `loaded in ${(loaded - start).toFixed(0)} ms, 10,000 steps in ${(stepped - loaded).toFixed(0)} ms, ` +
    `${engine.contact_count()} contacts, state 0x${hash.toString(16)}`,
);
assert.ok(engine.contact_count() > 0, "the humanoid lies on the ground");
assert.equal(`0x${hash.toString(16)}`, `0x${FINGERPRINT.toString(16)}`, "the state differs from that of other builds");

// worlds of a batch take the same steps without threads as with them, and one that diverges makes no difference to the others
const worlds = BigInt.asUintN(64, engine.batch_hash(11, 40));
assert.equal(`0x${worlds.toString(16)}`, `0x${BATCH_FINGERPRINT.toString(16)}`, "worlds of a batch differ");

// files come from memory, and one that is not there is an error at its place
const ball = '<mujoco><worldbody><body name="ball"><freejoint/><geom size=".1"/></body></worldbody></mujoco>';
const models = {
  include: '<mujoco>\n  <include file="parts/ball.xml"/>\n</mujoco>',
  model:
    '<mujoco><asset>\n  <model name="m" file="parts/ball.xml"/></asset>' +
    '<worldbody><attach model="m" body="ball" prefix="a"/></worldbody></mujoco>',
  mesh: '<mujoco><asset>\n  <mesh file="parts/none.obj"/></asset></mujoco>',
};
for (const [element, text] of Object.entries(models)) {
  put(text);
  assert.ok(!engine.load());
  assert.match(message(), new RegExp(`2:\\d+: <${element}>.*no access to a disk`));
}
put(`parts/ball.xml\0${ball}`);
check(engine.add_file());
for (const text of [models.include, models.model]) {
  put(text);
  check(engine.load());
  check(engine.step(1));
}
