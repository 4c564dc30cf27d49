"""The arrays that are compared: their order in the pipeline, their tolerance, and when they exist.

Tolerances are those of the conformance levels. A Data array is judged relative to one plus its largest
element, because the error of a sum is proportional to its largest term, not to its result.
"""

from __future__ import annotations

import mujoco
import numpy as np

# --- model ------------------------------------------------------------------------------------------------

# A compiled number is the result of a few operations on parsed text: |a - b| <= 1e-12 + 1e-10 |a|.
MODEL_RELATIVE = 1e-10
MODEL_SCALE_OFFSET = 1e-2  # 1e-12 / 1e-10
# Sums over thousands of triangles, in an order that is free: 1e-9 relative.
MESH_RELATIVE = 1e-9
# Single precision keeps 24 bits.
FLOAT32_RELATIVE = 1e-6

# Memory bookkeeping of the oracle, and two colours whose elements its Python binding does not show.
MODEL_EXCLUDED = {"narena", "nbuffer", "vis.rgba.bv", "vis.rgba.bvactive"}

# Order in which model fields are reported: sizes and options first, then what is built on what.
MODEL_PREFIXES = (
    "n", "opt.", "body_", "jnt_", "dof_", "tree_", "qpos", "geom_", "site_", "cam_", "light_", "mesh_", "hfield_",
    "tex_", "mat_", "skin_", "flex", "pair_", "exclude_", "eq_", "tendon_", "wrap_", "actuator_", "sensor_",
    "plugin", "numeric_", "text_", "tuple_", "key_", "bvh_", "oct_", "M_", "B_", "D_", "map", "stat.", "vis.",
    "name_", "names", "paths", "signature",
)

# Model arrays that depend on the mass, frame or extent of a mesh.
MESH_DERIVED = (
    "body_mass", "body_inertia", "body_ipos", "body_iquat", "body_subtreemass", "body_invweight0", "dof_invweight0",
    "dof_M0", "dof_length", "geom_pos", "geom_quat", "geom_size", "geom_aabb", "geom_rbound", "geom_fluid", "mesh_",
    "bvh_aabb", "oct_", "flex", "stat.", "actuator_acc0", "actuator_length0", "actuator_lengthrange", "tendon_length0",
    "tendon_lengthspring", "tendon_invweight0", "cam_poscom0", "light_poscom0", "eq_data", "skin_",
)

# Arrays whose order comes from the convex hull; they are compared as sets (see hull.py).
HULL_ORDERED = {
    "mesh_graph", "mesh_polynormal", "mesh_polyvertadr", "mesh_polyvertnum", "mesh_polyvert",
    "mesh_polymapadr", "mesh_polymapnum", "mesh_polymap",
}

# The engine may lack these when the oracle has none.
OPTIONAL_WHEN_EMPTY = ("flex", "nflex", "name_flexadr", "nJfe", "nJfv", "bvh_aabb_dyn",
                       "plugin")


def model_order(name: str) -> tuple[int, str]:
    """Sort key that puts model fields in the order in which they are built."""
    for rank, prefix in enumerate(MODEL_PREFIXES):
        if name.startswith(prefix) and not (prefix == "n" and name.startswith(("name", "numeric"))):
            return rank, name
    return len(MODEL_PREFIXES), name


def is_mesh_derived(name: str) -> bool:
    """Whether a model field can depend on mesh geometry."""
    return name.startswith(MESH_DERIVED)


# --- data -------------------------------------------------------------------------------------------------

KIN, SMOOTH, CONTACT, EFC, SOLVER, FOLLOW, SENSOR, EXACT, COUNT = (
    "kin", "smooth", "contact", "efc", "solver", "follow", "sensor", "exact", "count")

# class -> (tolerance, tolerance in states with contacts from iterative pairs)
TOLERANCE = {
    EXACT: (0.0, 0.0),
    KIN: (1e-12, 1e-12),
    SMOOTH: (1e-10, 1e-10),
    CONTACT: (1e-8, 1e-5),
    EFC: (1e-8, 1e-4),
    SOLVER: (1e-6, 1e-4),
    FOLLOW: (1e-6, 1e-4),
    COUNT: (0.0, 0.0),
}

# One step and the full run: relative to one plus the element.
STEP_CLOSED_FORM, STEP_ITERATIVE = 1e-9, 1e-6
RUN_STEPS = 1000
RUN_FLOOR = 1e-10  # rounding of 1000 steps in a system that does not amplify it
RUN_CHAOS = 1e-3  # a limit above this judges nothing any more: the run is judged up to there
RUN_JUDGED = 50  # steps without which a run is undecided

# Oracle memory, clocks and pointers.
DATA_EXCLUDED = {
    "narena", "nbuffer", "pstack", "pbase", "parena", "maxuse_stack", "maxuse_threadstack", "maxuse_arena",
    "maxuse_con", "maxuse_efc", "timer", "threadpool", "plugin_data", "model", "bind",
}

# When an array lives in the oracle's arena it exists only under a condition; otherwise its memory is undefined.
ALWAYS, HAS_EFC, IS_DUAL, HAS_ISLANDS, IS_SPARSE, SPARSE_ISLANDS, SPARSE_DUAL, ISLANDS_SOLVED, HAS_STATE = (
    "always", "efc", "dual", "islands", "sparse", "sparse islands", "sparse dual", "islands solved", "state")

_DATA = """
exact    always  time nplugin plugin
kin      always  qpos qvel act history plugin_state ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat userdata
exact    always  eq_active tree_asleep tree_awake body_awake body_awake_ind parent_awake_ind dof_awake_ind
exact    always  ntree_awake nbody_awake nparent_awake nv_awake
kin      always  xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat
kin      always  subtree_com cinert cdof cam_xpos cam_xmat light_xpos light_xdir
kin      always  flexvert_xpos flexelem_aabb flexedge_J flexedge_length flexvert_J flexvert_length bvh_aabb_dyn
exact    always  ten_wrapadr ten_wrapnum wrap_obj ten_J_rownnz ten_J_rowadr ten_J_colind
smooth   always  wrap_xpos ten_length ten_J
smooth   always  crb qM M qLD qLDiagInv
exact    always  ncon bvh_active
exact    always  contact.geom1 contact.geom2 contact.geom contact.flex contact.elem contact.vert contact.dim
contact  always  contact.dist contact.pos contact.frame
smooth   always  contact.includemargin contact.friction contact.solref contact.solreffriction contact.solimp
exact    always  contact.exclude
exact    always  ne nf nl nefc nJ
exact    efc     efc_type efc_id tendon_efcadr contact.efc_address
exact    sparse  efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_J_colind
efc      efc     efc_J efc_pos efc_margin efc_frictionloss efc_diagApprox efc_KBIP efc_D efc_R contact.mu
exact    always  nisland nidof
exact    islands tree_island island_ntree island_itreeadr map_itree2tree dof_island island_nv island_idofadr
exact    islands island_dofadr map_dof2idof map_idof2dof efc_island island_ne island_nf island_nefc island_iefcadr
exact    islands map_efc2iefc map_iefc2efc iefc_type iefc_id iM_rownnz iM_rowadr iM_colind
exact    sparse_islands iefc_J_rownnz iefc_J_rowadr iefc_J_rowsuper iefc_J_colind
smooth   islands iM iLD iLDiagInv
efc      islands iefc_J iefc_frictionloss iefc_D iefc_R
exact    always  moment_rownnz moment_rowadr moment_colind
smooth   always  actuator_length actuator_moment
exact    always  nA
exact    sparse_dual efc_AR_rownnz efc_AR_rowadr efc_AR_colind
efc      dual    efc_AR
smooth   always  flexedge_velocity ten_velocity actuator_velocity cvel cdof_dot
smooth   always  qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive
efc      efc     efc_vel efc_aref
smooth   always  qfrc_bias act_dot actuator_force qfrc_actuator qfrc_smooth qacc_smooth
efc      efc     efc_b
smooth   islands_solved ifrc_smooth iacc_smooth
efc      islands_solved iefc_aref
solver   always  qacc qfrc_constraint qacc_warmstart
exact    state   efc_state
efc      efc     efc_force
solver   islands_solved iacc ifrc_constraint
exact    islands_solved iefc_state
efc      islands_solved iefc_force
count    always  solver_niter
exact    always  solver_nnz
exact    efc     solver.nactive solver.nchange solver.neval solver.nupdate
solver   efc     solver.improvement solver.gradient solver.lineslope
solver   always  solver_fwdinv contact.H
smooth   always  subtree_linvel subtree_angmom energy
follow   always  cacc cfrc_int cfrc_ext qfrc_inverse
exact    always  flg_energypos flg_energyvel flg_subtreevel flg_rnepost
sensor   always  sensordata
smooth   always  qH qHDiagInv qDeriv qLU
exact    always  warning.lastinfo warning.number
exact    always  signature
"""

# (name, tolerance class, condition), in pipeline order
DATA_FIELDS: list[tuple[str, str, str]] = [
    (name, kind, condition.replace("_", " "))
    for kind, condition, *names in map(str.split, _DATA.split("\n")[1:-1])
    for name in names
]

# Copied from the rollout into both engines before a comparison.
STATE_FIELDS = (
    "qpos", "qvel", "act", "history", "plugin_state", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied",
    "eq_active", "mocap_pos", "mocap_quat", "userdata",
)
# What a step produces.
STEP_FIELDS = ("qpos", "qvel", "act", "history", "plugin_state")

_G = mujoco.mjtGeom
_CLOSED_FORM = {
    frozenset(pair)
    for pair in (
        [(_G.mjGEOM_PLANE, other) for other in (
            _G.mjGEOM_SPHERE, _G.mjGEOM_CAPSULE, _G.mjGEOM_ELLIPSOID, _G.mjGEOM_CYLINDER, _G.mjGEOM_BOX, _G.mjGEOM_MESH)]
        + [(_G.mjGEOM_SPHERE, other) for other in (
            _G.mjGEOM_SPHERE, _G.mjGEOM_CAPSULE, _G.mjGEOM_CYLINDER, _G.mjGEOM_BOX)]
        + [(_G.mjGEOM_CAPSULE, _G.mjGEOM_CAPSULE), (_G.mjGEOM_CAPSULE, _G.mjGEOM_BOX), (_G.mjGEOM_BOX, _G.mjGEOM_BOX)]
    )
}
# closed_form[type1, type2]: the pair is solved by a formula, not by iteration
CLOSED_FORM = np.array([
    [frozenset((_G(a), _G(b))) in _CLOSED_FORM for b in range(_G.mjGEOM_SDF + 1)] for a in range(_G.mjGEOM_SDF + 1)
])
