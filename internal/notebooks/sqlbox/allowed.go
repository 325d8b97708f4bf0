package sqlbox

import (
	"slices"
	"strings"

	lib "modernc.org/sqlite/lib"
)

// functions are those that a statement may call: none has a clock, chance, files or the database's own state.
var functions = strings.Fields(`
	avg count group_concat max min string_agg sum total
	cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number
	-> ->> json json_array json_array_length json_each json_extract json_group_array json_group_object json_object json_quote json_tree
	json_type json_valid
	char coalesce concat concat_ws format glob hex ifnull iif instr length like lower ltrim nullif octet_length printf quote replace
	rtrim substr substring trim typeof unicode upper
	abs acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power radians round
	sign sin sinh sqrt tan tanh trunc`)

// Functions are the names of the functions that a statement may call.
func Functions() []string {
	return slices.DeleteFunc(slices.Clone(functions), func(name string) bool { return strings.HasPrefix(name, "->") })
}

// unpackers are the functions that stand where a table does.
var unpackers = []string{"json_each", "json_tree"}

// refusal is what the authorizer said no to.
type refusal struct{ what, name string }

// prepare compiles a statement of a stranger and notes what it reads. The box lets nothing else through until [Box.release].
func (b *Box) prepare(sql string, reads map[string][]string) (stmt, error) {
	if m := outside(sql); m != nil {
		return stmt{}, m
	}
	var no *refusal
	named := namedInside(sql)
	b.c.allow = func(action int32, first, second string) bool {
		what, name := "", first
		switch action {
		case lib.SQLITE_SELECT, lib.SQLITE_RECURSIVE:
			return true
		case lib.SQLITE_READ:
			if t, ok := b.tables[lower(first)]; ok {
				if reads[t.Name] = append(reads[t.Name], second); second == "" {
					reads[t.Name] = reads[t.Name][:len(reads[t.Name])-1]
				}
				return true
			}
			if slices.Contains(unpackers, lower(first)) || second == "" && named[lower(first)] {
				return true
			}
			what = "table"
		case lib.SQLITE_FUNCTION:
			if slices.Contains(functions, lower(second)) {
				return true
			}
			what, name = "function", second
		case lib.SQLITE_INSERT:
			name = "INSERT"
		case lib.SQLITE_UPDATE:
			name = "UPDATE"
		case lib.SQLITE_DELETE:
			name = "DELETE"
		}
		if no == nil {
			no = &refusal{what, name}
		}
		return false
	}
	s, tail, err := b.c.prepare(sql)
	switch {
	case err != nil:
		b.release(stmt{})
		return s, b.prepared(sql, err, no)
	case !s.readOnly():
		b.release(s)
		return stmt{}, mistake(sql, Mistake{Code: CodeRefused, Message: "a query only reads"}, 0)
	}
	b.joined(sql, reads)
	for t := range tokens(sql[min(tail, len(sql)):]) {
		if t.kind != ';' {
			b.release(s)
			return stmt{}, mistake(sql, Mistake{Code: CodeRefused, Message: "a query is one statement"}, tail+t.at)
		}
	}
	return s, nil
}

// joined adds what the library reads for USING and NATURAL without asking the authorizer: the columns named, or all, of the tables that
// stand behind FROM, JOIN or a comma.
func (b *Box) joined(sql string, reads map[string][]string) {
	named, tables := map[string]bool{}, map[string]bool{}
	all, inside, before := false, false, ""
	for t := range tokens(sql) {
		word := lower(t.text)
		switch {
		case t.kind == 'w' && word == "natural":
			all = true
		case t.kind == '(' && before == "using":
			inside = true
		case t.kind == ')':
			inside = false
		case inside:
			named[word] = true
		case before == "from" || before == "join" || before == ",":
			tables[word] = true
		}
		before = word
	}
	if !all && len(named) == 0 {
		return
	}
	for name, t := range b.tables {
		if _, read := reads[t.Name]; !read && !tables[name] {
			continue
		}
		for _, c := range t.Columns {
			if all || named[lower(c.Name)] {
				reads[t.Name] = append(reads[t.Name], c.Name)
			}
		}
	}
}

// release ends a statement of a stranger; what follows is the program's.
func (b *Box) release(s stmt) {
	if b.c.allow = nil; s.p != 0 {
		s.close()
	}
}

// outside refuses what the authorizer does not see: another kind of statement, and text that is none.
func outside(sql string) *Mistake {
	switch {
	case len(sql) > maxSQL:
		return mistake(sql, Mistake{Code: CodeSize, Message: "the statement is longer than 20,000 bytes"}, -1)
	case strings.ContainsRune(sql, 0) || strings.ToValidUTF8(sql, "") != sql:
		return mistake(sql, Mistake{Code: CodeSyntax, Message: "the statement is no text"}, -1)
	}
	for t := range tokens(sql) {
		switch word := strings.ToUpper(t.text); {
		case t.kind == ';':
		case t.kind == 'w' && slices.Contains([]string{"SELECT", "WITH", "VALUES"}, word):
			return nil
		default:
			return mistake(sql, Mistake{Code: CodeRefused, Message: "a query begins with SELECT, WITH or VALUES"}, t.at)
		}
	}
	return mistake(sql, Mistake{Code: CodeSyntax, Message: "there is no statement"}, 0)
}
