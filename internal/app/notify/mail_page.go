package notify

import (
	"bytes"
	_ "embed"
	"html/template"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
)

//go:embed mail.html
var mailSource string

// mailPage writes a message as HTML. Everything in it is data to the template.
var mailPage = sync.OnceValue(func() *template.Template { return template.Must(template.New("mail").Parse(mailSource)) })

// pictureName is the name of the picture of a mail, and what its page refers to.
const pictureName = "changes.png"

// page is the message as HTML with its picture; the picture is nil where nothing was compared.
func (t told) page(n experiments.Notice, lang string) (html string, picture []byte, err error) {
	if picture, err = pictureOf(n.Facts.Changes); err != nil {
		return "", nil, err
	}
	var b bytes.Buffer
	err = mailPage().Execute(&b, map[string]any{"Lang": lang, "Title": t.Title, "Parts": t.Parts, "Changes": t.Changes,
		"Picture": picture != nil, "Name": pictureName, "Width": pictureWidth, "Height": pictureHeight})
	return b.String(), picture, err
}

// The picture of a mail: a bar whose parts are as long as shares of the answers, in pixels.
const (
	pictureWidth, pictureHeight = 600, 28
	pictureGap                  = 2
	pictureLeast                = 6 // of a part that is there at all
)

// pictureColours are told apart in grey and by people who see no red or green: dark, middle, light, and blue for better.
var pictureColours = map[string]color.RGBA{
	string(compare.Worse): {0xb4, 0x23, 0x18, 0xff}, string(compare.Mixed): {0xc0, 0x7a, 0x1c, 0xff},
	string(compare.NeedsCheck): {0xe3, 0xb3, 0x41, 0xff}, string(compare.NoChange): {0xd5, 0xd9, 0xde, 0xff},
	string(compare.Better): {0x2b, 0x6c, 0xb0, 0xff},
}

// pictureOf paints how many answers have each verdict; nil where there is none. It has no letters: the words stand beside it.
func pictureOf(changes []experiments.NoticeCount) ([]byte, error) {
	all := 0
	for _, c := range changes {
		all += c.N
	}
	if all == 0 {
		return nil, nil
	}
	free := pictureWidth - (pictureLeast+pictureGap)*len(changes) + pictureGap
	img := image.NewRGBA(image.Rect(0, 0, pictureWidth, pictureHeight))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	x, before := 0, 0
	for i, c := range changes {
		before += c.N
		end := (pictureLeast+pictureGap)*(i+1) - pictureGap + free*before/all
		draw.Draw(img, image.Rect(x, 0, end, pictureHeight), image.NewUniform(pictureColours[c.Code]), image.Point{}, draw.Src)
		x = end + pictureGap
	}
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return b.Bytes(), err
}
