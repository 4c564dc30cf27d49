//! Tests of batches: as worlds that are alone, whatever the others do.
mod abreast;
mod batch;
mod parameters;
mod recall;
mod rollout;
mod support;
