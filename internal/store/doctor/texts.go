package doctor

import "github.com/rag-workbench/workbench/internal/store/notebooks"

// texts compares the kept texts of notebooks with their digests.
func (c *checking) texts() error {
	damaged, err := notebooks.DamagedTexts(c.tx)
	if err != nil {
		return err
	}
	for i, name := range damaged {
		if i == mostNamed {
			c.add("text", "notebook_texts", "%d more rows of this kind are not what was saved", len(damaged)-mostNamed)
			break
		}
		c.add("text", "text "+name, "the kept text of a notebook is not what was saved, or is gone")
	}
	return nil
}
