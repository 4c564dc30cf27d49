//! Rows of assets.

use ferrodyn_model::{ColorSpace, TextureType};

use super::{NONE, attributes};
use crate::keywords::{MeshBuiltin, MeshInertia, TextureBuiltin, TextureMark};
use crate::pose::UNIT;

attributes! {
    /// Attributes of `<mesh>`.
    MeshAttrs {
        own "content_type" => content_type: String = NONE, "Media type, in place of the file's extension.";
        own "file" => file: String = NONE, "File with vertices and faces.";
        own "vertex" => vertex: Vec<f32> = Vec::new(), "Vertices.";
        own "normal" => normal: Vec<f32> = Vec::new(), "Normals, one for each vertex.";
        own "texcoord" => texcoord: Vec<f32> = Vec::new(), "Texture coordinates, two for each vertex.";
        own "face" => face: Vec<i32> = Vec::new(), "Vertices of each triangle.";
        own "@facenormal" => facenormal: Vec<i32> = Vec::new(), "Normals of each triangle.";
        own "@facetexcoord" => facetexcoord: Vec<i32> = Vec::new(), "Texture coordinates of each triangle.";
        own "@needsdf" => needsdf: bool = false, "Whether an octree is made in any case.";
        own "refpos" => refpos: [f64; 3] = [0.0; 3], "Origin that the vertices are relative to.";
        own "refquat" => refquat: [f64; 4] = UNIT, "Orientation that the vertices are relative to.";
        "scale" => scale: [f64; 3] = [1.0; 3], "Scale of the vertices.";
        own "smoothnormal" => smoothnormal: bool = false, "Whether all faces at a vertex share its normal.";
        "maxhullvert" => maxhullvert: i32 = -1, "Most vertices of the convex hull; -1 is no limit.";
        "inertia" => inertia: MeshInertia = MeshInertia::Legacy, "How the inertia is computed.";
        own "builtin" => builtin: MeshBuiltin, "Shape that is made from parameters.";
        own "params" => params: Vec<f64>, "Parameters of the shape.";
        own "material" => material: String = NONE, "Material of geoms that have none.";
    }

    /// Attributes of `<hfield>`.
    HfieldAttrs {
        "content_type" => content_type: String = NONE, "Media type, in place of the file's extension.";
        "file" => file: String = NONE, "File with elevations.";
        "nrow" => nrow: i32 = 0, "Number of rows.";
        "ncol" => ncol: i32 = 0, "Number of columns.";
        "size" => size: [f64; 4] = [0.0; 4], "Half width, half depth, height above and below zero, in m.";
        "elevation" => elevation: Vec<f32> = Vec::new(), "Elevations, the last row first.";
    }

    /// Attributes of `<texture>`.
    TextureAttrs {
        "type" => kind: TextureType = TextureType::Cube, "How the texture is mapped.";
        "colorspace" => colorspace: ColorSpace = ColorSpace::Auto, "Colour space.";
        "content_type" => content_type: String = NONE, "Media type, in place of the file's extension.";
        "file" => file: String = NONE, "File with the image.";
        "gridsize" => gridsize: [i32; 2] = [1, 1], "Rows and columns of images in the file.";
        "gridlayout" => gridlayout: String = "............".to_owned(),
            "Which side of the cube each image of the grid is.";
        "fileright" => fileright: String = NONE, "File of the right side of a cube.";
        "fileleft" => fileleft: String = NONE, "File of the left side of a cube.";
        "fileup" => fileup: String = NONE, "File of the upper side of a cube.";
        "filedown" => filedown: String = NONE, "File of the lower side of a cube.";
        "filefront" => filefront: String = NONE, "File of the front side of a cube.";
        "fileback" => fileback: String = NONE, "File of the back side of a cube.";
        "builtin" => builtin: TextureBuiltin = TextureBuiltin::None, "Pattern that is made from parameters.";
        "rgb1" => rgb1: [f64; 3] = [0.8; 3], "First colour of the pattern.";
        "rgb2" => rgb2: [f64; 3] = [0.5; 3], "Second colour of the pattern.";
        "mark" => mark: TextureMark = TextureMark::None, "Marks on the pattern.";
        "markrgb" => markrgb: [f64; 3] = [0.0; 3], "Colour of the marks.";
        "random" => random: f64 = 0.01, "Probability of a random mark.";
        "width" => width: i32 = 0, "Width of the pattern in pixels.";
        "height" => height: i32 = 0, "Height of the pattern in pixels.";
        "hflip" => hflip: bool = false, "Whether images are mirrored left to right.";
        "vflip" => vflip: bool = false, "Whether images are mirrored top to bottom.";
        "nchannel" => nchannel: i32 = 3, "Number of channels.";
        "@data" => data: Vec<u8> = Vec::new(), "Pixels, in place of a file or pattern.";
    }

    /// Attributes of `<material>`.
    MaterialAttrs {
        "texture" => texture: String = NONE, "Name of the colour texture.";
        "emission" => emission: f32 = 0.0 => mat_emission, "Emission.";
        "specular" => specular: f32 = 0.5 => mat_specular, "Specularity.";
        "shininess" => shininess: f32 = 0.5 => mat_shininess, "Shininess.";
        "reflectance" => reflectance: f32 = 0.0 => mat_reflectance, "Reflectance.";
        "metallic" => metallic: f32 = -1.0 => mat_metallic, "Metallicity; negative is unset.";
        "roughness" => roughness: f32 = -1.0 => mat_roughness, "Roughness; negative is unset.";
        "rgba" => rgba: [f32; 4] = [1.0; 4] => mat_rgba, "Colour.";
        "texrepeat" => texrepeat: [f32; 2] = [1.0; 2] => mat_texrepeat, "Repetitions of the texture.";
        "texuniform" => texuniform: bool = false => mat_texuniform fill, "Whether repetitions count in m.";
    }

    /// Attributes of `<asset><model>`.
    ModelAttrs {
        "file" => file: String, "File of the model.";
        "content_type" => content_type: String, "Media type, in place of the file's extension.";
    }
}
