package sqlbox

import (
	"bytes"
	"sync"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	internaltext "github.com/rag-workbench/workbench/internal/text"
)

// conn is one open database of the library. It belongs to one goroutine at a time and lives on the heap: the library keeps addresses
// of its fields, and Go does not move what is on the heap.
type conn struct {
	tls  *libc.TLS
	db   uintptr
	id   uintptr // of the callbacks
	out  uintptr // where the library puts what it makes
	text []byte  // that the library reads in a call

	allow func(action int32, first, second string) bool // while a statement of a stranger is prepared; nil allows everything
	stop  func() bool                                   // asked while a statement is worked through; nil never stops
}

// failure is what the library says of a call that failed.
type failure struct {
	code    int32
	message string
	offset  int // byte of the statement; -1 where it is not known
}

// Error is the library's sentence.
func (f *failure) Error() string { return f.message }

// conns leads callbacks, which get a number, to their connection.
var (
	conns  sync.Map
	lastID atomic.Uintptr
)

const (
	sqlTransient  = ^uintptr(0) // the library copies what it is given
	progressSteps = 10_000      // of the virtual machine between two questions whether to stop
)

// limits are the bounds that the library itself keeps.
var limits = map[int32]int32{
	lib.SQLITE_LIMIT_ATTACHED: 0, lib.SQLITE_LIMIT_SQL_LENGTH: maxSQL, lib.SQLITE_LIMIT_EXPR_DEPTH: 100,
	lib.SQLITE_LIMIT_COMPOUND_SELECT: 20, lib.SQLITE_LIMIT_COLUMN: maxColumns, lib.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
	lib.SQLITE_LIMIT_TRIGGER_DEPTH: 0, lib.SQLITE_LIMIT_VARIABLE_NUMBER: 256, lib.SQLITE_LIMIT_LENGTH: maxValue,
	lib.SQLITE_LIMIT_WORKER_THREADS: 0,
}

// open makes an empty database in memory. Temporary trees, as of a large sort, go to files: in memory they grow without a bound.
func open() (*conn, error) {
	c := &conn{tls: libc.NewTLS(), id: lastID.Add(1)}
	flags := int32(lib.SQLITE_OPEN_READWRITE | lib.SQLITE_OPEN_CREATE | lib.SQLITE_OPEN_MEMORY | lib.SQLITE_OPEN_NOMUTEX)
	if rc := lib.Xsqlite3_open_v2(c.tls, c.string(":memory:"), c.result(), flags, 0); rc != lib.SQLITE_OK {
		c.db = c.out
		err := c.failed(rc)
		c.close()
		return nil, err
	}
	c.db = c.out
	conns.Store(c.id, c)
	for _, option := range []int32{lib.SQLITE_DBCONFIG_DQS_DML, lib.SQLITE_DBCONFIG_DQS_DDL, lib.SQLITE_DBCONFIG_TRUSTED_SCHEMA,
		lib.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, lib.SQLITE_DBCONFIG_ENABLE_TRIGGER} {
		list := libc.NewVaList(int32(0), uintptr(0))
		lib.Xsqlite3_db_config(c.tls, c.db, option, list)
		libc.Xfree(c.tls, list)
	}
	if err := c.exec("PRAGMA temp_store = FILE"); err != nil {
		c.close()
		return nil, err
	}
	rc := lib.Xsqlite3_create_collation_v2(c.tls, c.db, c.string("natsort"), lib.SQLITE_UTF8, 0, pointer(collate), 0)
	if rc != lib.SQLITE_OK {
		err := c.failed(rc)
		c.close()
		return nil, err
	}
	lib.Xsqlite3_set_authorizer(c.tls, c.db, pointer(authorize), c.id)
	lib.Xsqlite3_progress_handler(c.tls, c.db, progressSteps, pointer(progress), c.id)
	for which, most := range limits {
		lib.Xsqlite3_limit(c.tls, c.db, which, most)
	}
	return c, nil
}

func (c *conn) close() {
	conns.Delete(c.id)
	lib.Xsqlite3_close_v2(c.tls, c.db)
	c.tls.Close()
}

// string is the address of a text that ends with a zero byte, until the next call of string.
func (c *conn) string(s string) uintptr {
	c.text = append(append(c.text[:0], s...), 0)
	return uintptr(unsafe.Pointer(&c.text[0]))
}

func (c *conn) result() uintptr {
	c.out = 0
	return uintptr(unsafe.Pointer(&c.out))
}

// failed reads what the library says of the newest failure. It must be called before anything else is asked.
func (c *conn) failed(code int32) *failure {
	return &failure{code & 0xff, libc.GoString(lib.Xsqlite3_errmsg(c.tls, c.db)), int(lib.Xsqlite3_error_offset(c.tls, c.db))}
}

// exec runs a statement of the program.
func (c *conn) exec(sql string) error {
	s, _, err := c.prepare(sql)
	if err != nil {
		return err
	}
	defer s.close()
	_, err = s.step()
	return err
}

// stmt is a prepared statement.
type stmt struct {
	c *conn
	p uintptr
}

// prepare compiles the first statement of a text. tail is the byte at which the next one begins.
func (c *conn) prepare(sql string) (s stmt, tail int, err error) {
	z := c.string(sql)
	end := libc.Xmalloc(c.tls, 8)
	defer libc.Xfree(c.tls, end)
	if rc := lib.Xsqlite3_prepare_v2(c.tls, c.db, z, int32(len(sql)+1), c.result(), end); rc != lib.SQLITE_OK {
		return s, 0, c.failed(rc)
	}
	return stmt{c, c.out}, int(libc.AtomicLoadPUintptr(end) - z), nil
}

func (s stmt) close() { lib.Xsqlite3_finalize(s.c.tls, s.p) }

func (s stmt) readOnly() bool { return lib.Xsqlite3_stmt_readonly(s.c.tls, s.p) == 1 }

func (s stmt) step() (row bool, err error) {
	switch rc := lib.Xsqlite3_step(s.c.tls, s.p); rc {
	case lib.SQLITE_ROW:
		return true, nil
	case lib.SQLITE_DONE:
		return false, nil
	default:
		return false, s.c.failed(rc)
	}
}

func (s stmt) reset() { lib.Xsqlite3_reset(s.c.tls, s.p) }

// columns are the names of the result.
func (s stmt) columns() []string {
	out := make([]string, lib.Xsqlite3_column_count(s.c.tls, s.p))
	for i := range out {
		out[i] = libc.GoString(lib.Xsqlite3_column_name(s.c.tls, s.p, int32(i)))
	}
	return out
}

// parameters are the names of what is bound, with their mark; "" for one without a name.
func (s stmt) parameters() []string {
	out := make([]string, lib.Xsqlite3_bind_parameter_count(s.c.tls, s.p))
	for i := range out {
		out[i] = libc.GoString(lib.Xsqlite3_bind_parameter_name(s.c.tls, s.p, int32(i+1)))
	}
	return out
}

// bind gives the parameter, from 1, a value: nil, int, int64, float64, bool or string.
func (s stmt) bind(i int, value any) error {
	var rc int32
	at := int32(i)
	switch v := value.(type) {
	case nil:
		rc = lib.Xsqlite3_bind_null(s.c.tls, s.p, at)
	case int:
		rc = lib.Xsqlite3_bind_int64(s.c.tls, s.p, at, int64(v))
	case int64:
		rc = lib.Xsqlite3_bind_int64(s.c.tls, s.p, at, v)
	case bool:
		rc = lib.Xsqlite3_bind_int64(s.c.tls, s.p, at, int64(map[bool]int{true: 1}[v]))
	case float64:
		rc = lib.Xsqlite3_bind_double(s.c.tls, s.p, at, v)
	case string:
		rc = lib.Xsqlite3_bind_text(s.c.tls, s.p, at, s.c.string(v), int32(len(v)), sqlTransient)
	default:
		rc = lib.SQLITE_MISUSE
	}
	if rc != lib.SQLITE_OK {
		return s.c.failed(rc)
	}
	return nil
}

// value is a column of the row: nil, int64, float64, string or, of a blob, []byte.
func (s stmt) value(i int) any {
	at := int32(i)
	switch lib.Xsqlite3_column_type(s.c.tls, s.p, at) {
	case lib.SQLITE_INTEGER:
		return lib.Xsqlite3_column_int64(s.c.tls, s.p, at)
	case lib.SQLITE_FLOAT:
		return lib.Xsqlite3_column_double(s.c.tls, s.p, at)
	case lib.SQLITE_NULL:
		return nil
	case lib.SQLITE_BLOB:
		p := lib.Xsqlite3_column_blob(s.c.tls, s.p, at)
		return bytes.Clone(libc.GoBytes(p, int(lib.Xsqlite3_column_bytes(s.c.tls, s.p, at))))
	}
	p := lib.Xsqlite3_column_text(s.c.tls, s.p, at)
	return string(libc.GoBytes(p, int(lib.Xsqlite3_column_bytes(s.c.tls, s.p, at))))
}

// pointer is the address of a function's code, as the library calls it: the driver's own way, see cFuncPointer there.
func pointer[T any](f T) uintptr { return *(*uintptr)(unsafe.Pointer(&struct{ f T }{f})) }

func authorize(_ *libc.TLS, id uintptr, action int32, first, second, _, _ uintptr) int32 {
	c, ok := conns.Load(id)
	if !ok {
		return lib.SQLITE_DENY
	}
	if allow := c.(*conn).allow; allow != nil && !allow(action, libc.GoString(first), libc.GoString(second)) {
		return lib.SQLITE_DENY
	}
	return lib.SQLITE_OK
}

func progress(_ *libc.TLS, id uintptr) int32 {
	if c, ok := conns.Load(id); ok && (c.(*conn).stop == nil || !c.(*conn).stop()) {
		return 0
	}
	return 1
}

func collate(_ *libc.TLS, _ uintptr, n int32, a uintptr, m int32, b uintptr) int32 {
	return int32(internaltext.Natural(string(libc.GoBytes(a, int(n))), string(libc.GoBytes(b, int(m)))))
}
