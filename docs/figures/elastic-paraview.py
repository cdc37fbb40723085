# Draws the disc of examples/elastic-impact three times with ParaView, for docs/guide/elastic.md; needs no screen.
#
#   rico run examples/elastic-impact/elastic-impact.yaml --set n=12 --until 0.02
#   rico export elastic-impact.h5 --vtk disc
#   xvfb-run -a -s -noreset pvbatch docs/figures/elastic-paraview.py disc/disc.pvd elastic-paraview.png
import sys

from PIL import Image
from paraview.simple import *

TIMES = (0.006, 0.012, 0.02)
APART = 0.26  # m, between the drawings

view = CreateView("RenderView")
view.ViewSize = [1150, 400]
view.UseColorPaletteForBackground = 0
view.Background = [1, 1, 1]
view.OrientationAxesVisibility = 0
view.CameraParallelProjection = 1

colours = GetColorTransferFunction("kPa")
colours.ApplyPreset("Viridis (matplotlib)", True)
colours.NumberOfTableValues = 25  # bands of 10 kPa

for k, time in enumerate(TIMES):
    disc = PVDReader(FileName=sys.argv[1])
    still = ForceTime(Input=disc, ForcedTime=time)
    scaled = Calculator(Input=still, ResultArrayName="kPa", Function='"von Mises"/1000')
    moved = Transform(Input=scaled)
    moved.Transform.Translate = [APART * k, 0, 0]
    shown = Show(moved, view)
    shown.Ambient, shown.Diffuse = 1.0, 0.0  # colours as the bar has them, without light and shade
    ColorBy(shown, ("POINTS", "kPa"))
    mesh = Show(ExtractEdges(Input=moved), view)
    mesh.Opacity, mesh.LineWidth = 0.25, 1.0
    ColorBy(mesh, None)
    mesh.AmbientColor = mesh.DiffuseColor = [1, 1, 1]
    # the forces of the ground, as arrows whose heads touch the nodes they act on
    arrows = Glyph(Input=moved, GlyphType="Arrow", GlyphMode="All Points")
    arrows.OrientationArray = ["POINTS", "contact force"]
    arrows.ScaleArray = ["POINTS", "contact force"]
    arrows.ScaleFactor = 4e-4
    arrows.GlyphTransform.Translate = [-1, 0, 0]
    force = Show(arrows, view)
    ColorBy(force, None)
    force.AmbientColor = force.DiffuseColor = [0.8, 0.1, 0.1]
    word = Text(Text=f"{1000 * time:g} ms")
    label = Show(word, view)
    label.WindowLocation = "Any Location"
    label.Position = [0.143 + 0.294 * k, 0.9]
    label.Color = [0, 0, 0]
    label.FontSize = 18

ground = Line(Point1=[-0.12, 0, 0], Point2=[APART * len(TIMES) - 0.1, 0, 0])
line = Show(ground, view)
line.AmbientColor = line.DiffuseColor = [0, 0, 0]
line.LineWidth = 3

colours.RescaleTransferFunction(0.0, 250.0)
bar = GetScalarBar(colours, view)
bar.Title = "von Mises stress, kPa"
bar.ComponentTitle = ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]
bar.TitleFontSize = bar.LabelFontSize = 16
bar.Orientation = "Vertical"
bar.WindowLocation = "Any Location"
bar.Position = [0.9, 0.2]
bar.ScalarBarLength = 0.6
bar.ScalarBarThickness = 16
bar.AutomaticLabelFormat = 0
bar.LabelFormat = bar.RangeLabelFormat = "%.0f"
bar.Visibility = 1

view.CameraPosition, view.CameraFocalPoint = [0.32, 0.085, 1], [0.32, 0.085, 0]
view.CameraParallelScale = 0.158
SaveScreenshot(sys.argv[2], view)
Image.open(sys.argv[2]).convert("RGB").quantize(255, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(sys.argv[2], optimize=True)
