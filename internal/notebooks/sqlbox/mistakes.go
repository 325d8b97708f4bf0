package sqlbox

import (
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	lib "modernc.org/sqlite/lib"
)

// The codes of mistakes.
const (
	CodeSyntax  = "sql_syntax"  // it cannot be read
	CodeColumn  = "sql_column"  // a column is not there, or could be one of two
	CodeTable   = "sql_table"   // a table is not there
	CodeRefused = "sql_refused" // it is not allowed
	CodeTime    = "sql_time"    // it was stopped
	CodeSize    = "sql_size"    // something is too large
	CodeParam   = "sql_param"   // a parameter is not there
	CodeValue   = "sql_value"   // a function met a value that it cannot take
)

// Mistake says what is wrong with a statement and where.
type Mistake struct {
	Code, Message string
	Line, Column  int      // from 1, columns in characters; 0 where it is not known
	Name          string   // that is not there or not allowed
	Among         []string // names that could be meant, sorted
}

// Error is the sentence.
func (m *Mistake) Error() string { return m.Message }

// mistake puts a mistake at a byte of the statement; at its name where that is below 0.
func mistake(sql string, m Mistake, offset int) *Mistake {
	if offset < 0 && m.Name != "" {
		last := m.Name[strings.LastIndexByte(m.Name, '.')+1:]
		for t := range tokens(sql) {
			if lower(t.text) == lower(last) || lower(last) == "sqlite_schema" && lower(t.text) == "sqlite_master" {
				offset = t.at
				break
			}
		}
	}
	if offset >= 0 {
		before := sql[:min(offset, len(sql))]
		m.Line = 1 + strings.Count(before, "\n")
		m.Column = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	}
	return &m
}

func tooMuch(table, message string) *Mistake {
	return &Mistake{Code: CodeSize, Name: table, Message: message}
}

// prepared says why a statement could not be compiled.
func (b *Box) prepared(sql string, err error, no *refusal) *Mistake {
	f, ok := errors.AsType[*failure](err)
	if !ok {
		return mistake(sql, Mistake{Code: CodeSyntax, Message: err.Error()}, -1)
	}
	after := func(mark string) (string, bool) {
		_, name, found := strings.Cut(f.message, mark)
		return name, found
	}
	m := Mistake{Code: CodeSyntax, Message: f.message}
	switch {
	case no != nil:
		m.Code, m.Name, m.Message = CodeRefused, no.name, "a query only reads"
		if no.name == "sqlite_master" { // it has two names
			m.Name = "sqlite_schema"
		}
		if no.what == "function" {
			m.Message = "the function " + no.name + " cannot be used: the same data must give the same table"
		} else if no.what != "" {
			m.Message = "the " + no.what + " " + no.name + " cannot be read"
		}
	case f.code == lib.SQLITE_TOOBIG || strings.Contains(f.message, "too many") || strings.Contains(f.message, "too large"):
		m.Code = CodeSize
	case f.code == lib.SQLITE_INTERRUPT:
		m.Code = CodeTime
	default:
		if name, found := after("no such table: "); found {
			m.Code, m.Name, m.Message, m.Among = CodeTable, name, "there is no table "+name, b.names()
		} else if name, found := after("no such column: "); found {
			m.Code, m.Name, m.Message, m.Among = CodeColumn, name, "there is no column "+name, b.columns(sql)
		} else if name, found := after("ambiguous column name: "); found {
			m.Code, m.Name, m.Message = CodeColumn, name, "the column "+name+" is in two of the tables: write table.column"
		} else if name, found := after("no such function: "); found {
			m.Code, m.Name, m.Message, m.Among = CodeRefused, name, "there is no function "+name, slices.Clone(functions)
		} else if f.message == "incomplete input" {
			m.Message = "the statement is not finished"
			f.offset = len(strings.TrimRight(sql, " \n"))
		}
	}
	return mistake(sql, m, f.offset)
}

// stepped says why a statement did not come to its end.
func stepped(sql string, err error) *Mistake {
	f, ok := errors.AsType[*failure](err)
	m := Mistake{Code: CodeValue, Message: err.Error()}
	switch {
	case ok && f.code == lib.SQLITE_INTERRUPT:
		m.Code, m.Message = CodeTime, "the statement took too long and was stopped"
	case ok && (slices.Contains([]int32{lib.SQLITE_TOOBIG, lib.SQLITE_NOMEM, lib.SQLITE_FULL}, f.code) ||
		strings.Contains(f.message, "too")):
		m.Code = CodeSize
	}
	return mistake(sql, m, -1)
}

// names are the tables, sorted.
func (b *Box) names() []string {
	var out []string
	for _, t := range b.tables {
		out = append(out, t.Name)
	}
	slices.Sort(out)
	return out
}

// columns are those of the tables that a statement names, sorted.
func (b *Box) columns(sql string) []string {
	var out []string
	for t := range tokens(sql) {
		if table, ok := b.tables[lower(t.text)]; ok && (t.kind == 'w' || t.kind == 'q') {
			for _, c := range table.Columns {
				out = append(out, c.Name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
