//! The elementary functions beside results of 200 binary digits, rounded once (`conformance/elementary.py`).

use ferrodyn_math::elementary::{acos, asin, atan2, cos, exp, pow, sin, sincos, tan};

/// The lines of the table: function, arguments, exact result rounded.
fn cases() -> impl Iterator<Item = (&'static str, Vec<f64>, f64)> {
    let table = include_str!("elementary.txt").lines().filter(|line| !line.starts_with('#'));
    table.map(|line| {
        let (name, numbers) = line.split_once(' ').expect("a name and numbers");
        let number = |bits| f64::from_bits(u64::from_str_radix(bits, 16).expect("hexadecimal"));
        let mut numbers: Vec<f64> = numbers.split(' ').map(number).collect();
        let exact = numbers.pop().expect("a result");
        (name, numbers, exact)
    })
}

fn compute(name: &str, x: &[f64]) -> f64 {
    match name {
        "sin" => sin(x[0]),
        "cos" => cos(x[0]),
        "tan" => tan(x[0]),
        "asin" => asin(x[0]),
        "acos" => acos(x[0]),
        "atan2" => atan2(x[0], x[1]),
        "exp" => exp(x[0]),
        "pow" => pow(x[0], x[1]),
        other => panic!("no function {other}"),
    }
}

#[test]
fn results_are_the_nearest_numbers() {
    let mut count = 0;
    for (name, x, exact) in cases() {
        assert_eq!(compute(name, &x).to_bits(), exact.to_bits(), "{name}{x:?} is {exact:e}");
        count += 1;
    }
    assert_eq!(count, 8 * 250);
}

#[test]
fn sine_and_cosine_together_have_the_bits_of_each() {
    for i in -4000..4000 {
        let x = i as f64 * 0.0371;
        assert_eq!(sincos(x), (sin(x), cos(x)));
    }
}

/// Zeros keep their sign, infinities and what has no result give NaN, as in C.
#[test]
fn ends_of_the_range_are_those_of_c() {
    use core::f64::consts::{FRAC_PI_2, PI};
    let same = |a: f64, b: f64| assert_eq!(a.to_bits(), b.to_bits(), "{a} and {b}");
    same(sin(-0.0), -0.0);
    same(tan(-0.0), -0.0);
    same(cos(-0.0), 1.0);
    same(asin(-0.0), -0.0);
    same(asin(1.0), FRAC_PI_2);
    same(acos(-1.0), PI);
    same(acos(0.0), FRAC_PI_2);
    same(acos(1.0), 0.0);
    same(atan2(-0.0, -1.0), -PI);
    same(atan2(0.0, 1.0), 0.0);
    same(atan2(-2.0, 0.0), -FRAC_PI_2);
    same(atan2(f64::INFINITY, 1.0), FRAC_PI_2);
    same(atan2(1e-310, 1.0), 1e-310);
    same(exp(0.0), 1.0);
    same(exp(-1e9), 0.0);
    same(exp(f64::INFINITY), f64::INFINITY);
    same(pow(0.0, 2.0), 0.0);
    same(pow(-2.0, 3.0), -8.0);
    same(pow(3.0, 0.0), 1.0);
    same(pow(1.0, f64::INFINITY), 1.0);
    same(pow(2.0, 5000.0), f64::INFINITY);
    for bad in
        [sin(f64::INFINITY), cos(f64::NAN), asin(1.1), acos(-1.1), exp(f64::NAN), pow(-1.0, 0.5)]
    {
        assert!(bad.is_nan());
    }
}

/// Past a million radians the reduction of `libm` takes over; both sides of the border agree with it.
#[test]
fn large_angles_are_reduced_without_loss() {
    for x in [1_048_575.9, 1_048_576.1, -1_048_575.9, 1e15] {
        assert!(
            (sin(x) - libm::sin(x)).abs() < 1e-15 && (cos(x) - libm::cos(x)).abs() < 1e-15,
            "{x}"
        );
    }
}
