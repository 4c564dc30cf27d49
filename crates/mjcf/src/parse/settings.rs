//! The sections `<compiler>`, `<option>`, `<size>`, `<statistic>` and `<visual>`. Each may appear
//! several times; what a later one says lies over what an earlier one said.

use super::{Parser, Rules};
use crate::error::DiagnosticKind;
use crate::keywords::Coordinate;
use crate::schema::{
    Attributes, CompilerAttrs, OptionAttrs, SizeAttrs, StatisticAttrs, VisualGlobalAttrs,
};
use crate::xml::{Node, NodeId};

impl<'a> Parser<'a> {
    pub(super) fn compiler(&mut self, id: NodeId) {
        let node = &self.document.nodes[id];
        let attrs: CompilerAttrs = self.attributes(node, Rules::default());
        if attrs.coordinate == Some(Coordinate::Global) {
            let message = "global coordinates were removed in MuJoCo 2.3.4; \
                           load and save the model in MuJoCo 2.3.3 to convert it";
            self.invalid(node, "coordinate", message);
        }
        // the directory of both kinds of asset gives way to those of each kind
        let mut attrs = attrs;
        if let Some(directory) = attrs.assetdir.clone() {
            attrs.meshdir.get_or_insert_with(|| directory.clone());
            attrs.texturedir.get_or_insert(directory);
        }
        self.spec.compiler = attrs.over(&self.spec.compiler);
        self.unique_children(id, &["lengthrange"]);
        for child in self.document.children(id).filter(|c| c.name == "lengthrange") {
            if self.ignored_include(child) {
                continue;
            }
            let attrs = self.attributes(child, Rules::default());
            self.spec.lengthrange = Attributes::over(&attrs, &self.spec.lengthrange);
            self.no_children(child, false);
        }
    }

    pub(super) fn option(&mut self, id: NodeId) {
        let node = &self.document.nodes[id];
        let attrs: OptionAttrs = self.attributes(node, Rules::default());
        if attrs.timestep.is_some_and(|h| h <= 0.0) {
            self.doubtful(
                node,
                "timestep",
                "time does not advance with a step that is not positive",
            );
        }
        let none = |count: Option<i32>| count.is_some_and(|n| n < 1);
        if none(attrs.xpbd_substeps) || none(attrs.xpbd_iterations) {
            self.conflict(
                node,
                "position-based contacts need one substep and one iteration at least",
            );
        }
        self.spec.option = Attributes::over(&attrs, &self.spec.option);
        self.unique_children(id, &["flag"]);
        for child in self.document.children(id).filter(|c| c.name == "flag") {
            if self.ignored_include(child) {
                continue;
            }
            let attrs = self.attributes(child, Rules::default());
            self.spec.flags = Attributes::over(&attrs, &self.spec.flags);
            self.no_children(child, false);
        }
    }

    /// MuJoCo looks for some elements only in the file of their parent: elsewhere they are allowed
    /// but have no effect.
    fn ignored_include(&mut self, node: &Node) -> bool {
        if node.included {
            let message = "without effect, because it comes from an included file";
            self.sink.warn(node.problem(DiagnosticKind::UnknownElement, message));
        }
        node.included
    }

    pub(super) fn size(&mut self, node: &Node) {
        let attrs: SizeAttrs = self.attributes(node, Rules::default());
        let bounded = [
            ("nconmax", attrs.nconmax),
            ("nuser_body", attrs.nuser_body),
            ("nuser_jnt", attrs.nuser_jnt),
            ("nuser_geom", attrs.nuser_geom),
            ("nuser_site", attrs.nuser_site),
            ("nuser_cam", attrs.nuser_cam),
            ("nuser_tendon", attrs.nuser_tendon),
            ("nuser_actuator", attrs.nuser_actuator),
            ("nuser_sensor", attrs.nuser_sensor),
        ];
        for (name, value) in bounded {
            if value.is_some_and(|n| n < -1) {
                self.invalid(node, name, "expected -1 or more");
            }
        }
        if attrs.nuserdata.is_some_and(|n| n < 0) {
            self.invalid(node, "nuserdata", "expected 0 or more");
        }
        self.spec.size = attrs.over(&self.spec.size);
        if self.spec.size.memory.is_some() {
            for (name, value) in [("nstack", attrs.nstack), ("njmax", attrs.njmax)] {
                if value.is_some_and(|n| n != -1) {
                    let message = format!("'memory' and '{name}' cannot both be given");
                    self.conflict(node, &message);
                }
            }
        }
        self.no_children(node, false);
    }

    pub(super) fn statistic(&mut self, node: &Node) {
        let attrs: StatisticAttrs = self.attributes(node, Rules::default());
        if attrs.extent.is_some_and(|x| x <= 0.0) {
            self.invalid(node, "extent", "expected a positive number");
        }
        self.spec.statistic = attrs.over(&self.spec.statistic);
        self.no_children(node, false);
    }

    pub(super) fn visual(&mut self, id: NodeId) {
        let node = &self.document.nodes[id];
        self.known_attributes(node, &[], false);
        self.unique_children(id, &["global", "quality", "headlight", "map", "scale", "rgba"]);
        for child in self.document.children(id) {
            let rules = Rules::default();
            match child.name.as_str() {
                "global" => {
                    let attrs: VisualGlobalAttrs = self.attributes(child, rules);
                    if attrs.realtime.is_some_and(|x| x <= 0.0) {
                        self.invalid(child, "realtime", "expected a positive number");
                    }
                    self.spec.visual.global = attrs.over(&self.spec.visual.global);
                }
                "quality" => {
                    let attrs = self.attributes(child, rules);
                    self.spec.visual.quality = Attributes::over(&attrs, &self.spec.visual.quality);
                }
                "headlight" => {
                    let attrs = self.attributes(child, rules);
                    self.spec.visual.headlight =
                        Attributes::over(&attrs, &self.spec.visual.headlight);
                }
                "map" => {
                    let attrs = self.attributes(child, rules);
                    self.spec.visual.map = Attributes::over(&attrs, &self.spec.visual.map);
                    if self.spec.visual.map.znear.is_some_and(|x| x <= 0.0) {
                        self.invalid(child, "znear", "expected a positive number");
                    }
                }
                "scale" => {
                    let attrs = self.attributes(child, rules);
                    self.spec.visual.scale = Attributes::over(&attrs, &self.spec.visual.scale);
                }
                "rgba" => {
                    let attrs = self.attributes(child, rules);
                    self.spec.visual.rgba = Attributes::over(&attrs, &self.spec.visual.rgba);
                }
                _ => continue,
            }
            self.no_children(child, false);
        }
    }
}
