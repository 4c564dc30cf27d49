//! Poses and velocities of frames.
use ferrodyn_testing::{all_close, forward_at};

use super::sensing;

#[test]
fn frames_are_seen_from_other_frames() {
    let world = "<body name='a' pos='1 0 0' euler='0 0 90'><joint name='h' axis='0 0 1'/>
        <geom size='.1'/><site name='s'/></body><body name='c' pos='1 2 0'><joint axis='0 0 1'/><geom size='.1'/></body>";
    let m = sensing(
        world,
        "<framepos objtype='xbody' objname='c' reftype='site' refname='s'/>
         <framexaxis objtype='xbody' objname='c' reftype='xbody' refname='a'/>
         <framequat objtype='xbody' objname='c' reftype='xbody' refname='a'/>
         <framelinvel objtype='xbody' objname='c' reftype='xbody' refname='a'/>
         <frameangvel objtype='xbody' objname='c' reftype='xbody' refname='a'/>",
    );
    let d = forward_at(&m, &[], &[2.0, 0.0]);
    let half = 0.5f64.sqrt();
    all_close(
        d.sensordata(),
        &[2.0, 0.0, 0.0, 0.0, -1.0, 0.0, half, 0.0, 0.0, -half, 0.0, -4.0, 0.0, 0.0, 0.0, -2.0],
        1e-12,
    );
}
