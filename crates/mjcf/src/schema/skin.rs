//! Rows of skins.

use super::{GREY, NONE, attributes};

attributes! {
    /// Attributes of `<skin>`. Its bones are lists that belong together: what stands at the same place in each belongs to
    /// one bone; a position has three numbers, an orientation four.
    SkinAttrs {
        "file" => file: String = NONE, "File with vertices, faces and bones.";
        "material" => material: String = NONE, "Name of the material.";
        "rgba" => rgba: [f32; 4] = GREY => skin_rgba fill, "Colour.";
        "inflate" => inflate: f32 = 0.0 => skin_inflate fill, "How far vertices are moved along their normals, in m.";
        "vertex" => vertex: Vec<f32> = Vec::new(), "Vertices in the bind pose.";
        "texcoord" => texcoord: Vec<f32> = Vec::new(), "Texture coordinates, two for each vertex.";
        "face" => face: Vec<i32> = Vec::new(), "Vertices of each triangle.";
        "group" => group: i32 = 0 => skin_group fill, "Visibility group.";
        "@bodyname" => bodyname: Vec<String> = Vec::new(), "Names of the bodies of the bones.";
        "@bindpos" => bindpos: Vec<f32> = Vec::new(), "Positions of the bones in the bind pose.";
        "@bindquat" => bindquat: Vec<f32> = Vec::new(), "Orientations of the bones in the bind pose.";
        "@vertid" => vertid: Vec<Vec<i32>> = Vec::new(), "Vertices of each bone.";
        "@vertweight" => vertweight: Vec<Vec<f32>> = Vec::new(), "Weights of the vertices of each bone.";
    }

    /// Attributes of `<skin>` in a `<composite>`.
    CompositeSkinAttrs {
        "texcoord" => texcoord: bool = false, "Whether the skin has texture coordinates.";
        "material" => material: String = NONE, "Name of the material.";
        "group" => group: i32 = 0, "Visibility group.";
        "rgba" => rgba: [f32; 4] = [1.0; 4], "Colour.";
        "inflate" => inflate: f32 = 0.0, "Has no effect: the skin of a cable is as thick as its boxes.";
        "subgrid" => subgrid: i32 = 0, "Vertices that are put between two neighbours.";
    }
}
