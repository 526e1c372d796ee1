// A file system in memory that loses unsynced changes when its power is cut.
//
// usage: powercut MOUNTPOINT
//
// Standard input takes one command a line:
//
//	cut MODE SEED   loses unsynced changes, and mounts the rest; every process must have ended before
//
// Standard output answers each command with a line: `mounted` and the amount that was lost. The program ends when standard
// input is closed.
//
// The content of a file is durable after fsync of that file. The names in a folder are durable after fsync of that folder.
// A cut keeps everything durable. The mode decides which other changes it keeps; N is a random number:
//
//	synced   nothing
//	ordered  names: the first N changes of the disk, as in a journal
//	         content: the first N writes of each file, the last of them torn
//	any      names: the first N changes of each folder
//	         content: any of the writes of each file
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"sync"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fuse"
)

func main() {
	if len(os.Args) != 2 {
		fail("usage: powercut MOUNTPOINT")
	}
	disk := newDisk()
	server := mount(disk, os.Args[1])
	fmt.Println("mounted")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var mode string
		var seed int64
		if n, _ := fmt.Sscanf(lines.Text(), "cut %s %d", &mode, &seed); n != 2 || !modes[mode] {
			fail("unknown command: " + lines.Text())
		}
		// A new mount empties the kernel's caches.
		if err := unmount(server); err != nil {
			fail("a process still uses the disk: " + err.Error())
		}
		lost := disk.cut(mode, rand.New(rand.NewSource(seed)))
		server = mount(disk, os.Args[1])
		fmt.Println("mounted", lost)
	}
	if unmount(server) != nil {
		// Some processes still use the disk, but the program that started them has ended.
		syscall.Unmount(os.Args[1], syscall.MNT_DETACH)
	}
}

var modes = map[string]bool{"synced": true, "ordered": true, "any": true}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}

func mount(disk *disk, at string) *fuse.Server {
	options := &fuse.MountOptions{
		DirectMountStrict: true, Name: "powercut", FsName: "powercut", DisableXAttrs: true, DisableReadDirPlus: true,
	}
	server, err := fuse.NewServer(disk, at, options)
	if err != nil {
		fail(err.Error())
	}
	go server.Serve()
	if err := server.WaitMount(); err != nil {
		fail(err.Error())
	}
	return server
}

// Unmounts the disk. It is tried several times, because a killed process may take a moment to close its files.
func unmount(server *fuse.Server) (err error) {
	for i := 0; i < 200; i++ {
		if err = server.Unmount(); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// A file, folder, link or socket.
type node struct {
	id      uint64
	mode    uint32
	uid     uint32
	gid     uint32
	changed time.Time
	target  string
	// The state that processes see, and the state that survives a cut. Files have content, folders have names.
	live, durable state
	// Changes of a file's content since its last fsync, oldest first.
	writes []write
}

type state struct {
	content []byte
	names   map[string]*node
}

// Bytes at an offset, or, when `bytes` is nil, a new length.
type write struct {
	offset int64
	bytes  []byte
}

// An atomic change of names: of one name, or of two in a rename.
type change []naming

// A name in a folder gets a node; nil removes the name.
type naming struct {
	folder *node
	name   string
	node   *node
}

type disk struct {
	fuse.RawFileSystem
	sync.Mutex
	nodes  map[uint64]*node
	lastId uint64
	// Changes of names since the last fsync of one of their folders, oldest first.
	changes []change
}

func newDisk() *disk {
	disk := &disk{RawFileSystem: fuse.NewDefaultRawFileSystem(), nodes: map[uint64]*node{}}
	disk.newNode(syscall.S_IFDIR|0o755, fuse.Owner{})
	return disk
}

// Makes a node. The first one is the root, because FUSE requires the id 1 for it.
func (disk *disk) newNode(mode uint32, owner fuse.Owner) *node {
	disk.lastId++
	made := &node{id: disk.lastId, mode: mode, uid: owner.Uid, gid: owner.Gid, changed: time.Now()}
	if mode&syscall.S_IFMT == syscall.S_IFDIR {
		made.live.names = map[string]*node{}
		made.durable.names = map[string]*node{}
	}
	disk.nodes[made.id] = made
	return made
}

// ---- What a power cut does

func (disk *disk) cut(mode string, random *rand.Rand) string {
	disk.Lock()
	defer disk.Unlock()
	lostNames, lostWrites := len(disk.changes), 0
	for _, change := range disk.survivingChanges(mode, random) {
		change.applyTo(durableOf)
		lostNames--
	}
	disk.changes = nil
	root := disk.nodes[1]
	disk.nodes = map[uint64]*node{}
	disk.keep(root, func(file *node) {
		for _, write := range file.survivingWrites(mode, random) {
			file.durable.content = write.applyTo(file.durable.content)
			lostWrites--
		}
		lostWrites += len(file.writes)
		file.writes = nil
	})
	return fmt.Sprintf("%d names, %d writes", lostNames, lostWrites)
}

func (disk *disk) survivingChanges(mode string, random *rand.Rand) []change {
	switch mode {
	case "synced":
		return nil
	case "ordered":
		return disk.changes[:random.Intn(len(disk.changes)+1)]
	}
	surviving := []change{}
	ended := map[*node]bool{}
	for _, change := range disk.changes {
		isLost := random.Intn(4) == 0
		for _, naming := range change {
			isLost = isLost || ended[naming.folder]
		}
		if !isLost {
			surviving = append(surviving, change)
			continue
		}
		for _, naming := range change {
			ended[naming.folder] = true
		}
	}
	return surviving
}

func (file *node) survivingWrites(mode string, random *rand.Rand) []write {
	switch mode {
	case "synced":
		return nil
	case "ordered":
		count := random.Intn(len(file.writes) + 1)
		surviving := append([]write{}, file.writes[:count]...)
		if count > 0 {
			last := &surviving[count-1]
			last.bytes = last.bytes[:random.Intn(len(last.bytes)+1)]
		}
		return surviving
	}
	surviving := []write{}
	for _, write := range file.writes {
		if random.Intn(2) == 0 {
			surviving = append(surviving, write)
		}
	}
	return surviving
}

// Makes the durable state of a node, and of everything below it, the state that processes see.
func (disk *disk) keep(kept *node, settle func(file *node)) {
	if disk.nodes[kept.id] != nil {
		return
	}
	disk.nodes[kept.id] = kept
	if !kept.isFolder() {
		settle(kept)
		kept.live.content = append([]byte{}, kept.durable.content...)
		return
	}
	kept.live.names = map[string]*node{}
	for _, name := range sortedNames(kept.durable.names) {
		kept.live.names[name] = kept.durable.names[name]
		disk.keep(kept.durable.names[name], settle)
	}
}

func (node *node) isFolder() bool { return node.mode&syscall.S_IFMT == syscall.S_IFDIR }

func durableOf(folder *node) map[string]*node { return folder.durable.names }
func liveOf(folder *node) map[string]*node    { return folder.live.names }

func (change change) applyTo(namesOf func(folder *node) map[string]*node) {
	for _, naming := range change {
		if naming.node == nil {
			delete(namesOf(naming.folder), naming.name)
		} else {
			namesOf(naming.folder)[naming.name] = naming.node
		}
	}
}

func (change write) applyTo(content []byte) []byte {
	end := change.offset + int64(len(change.bytes))
	if change.bytes == nil && end < int64(len(content)) {
		return content[:end:end]
	}
	if end > int64(len(content)) {
		content = append(content, make([]byte, end-int64(len(content)))...)
	}
	copy(content[change.offset:], change.bytes)
	return content
}

// Makes the changes of a folder's names durable. A rename also touches another folder, whose earlier changes become durable
// too.
func (disk *disk) syncFolder(folder *node) {
	touched := map[*node]bool{folder: true}
	isDurable := make([]bool, len(disk.changes))
	for i := len(disk.changes) - 1; i >= 0; i-- {
		for _, naming := range disk.changes[i] {
			isDurable[i] = isDurable[i] || touched[naming.folder]
		}
		if isDurable[i] {
			for _, naming := range disk.changes[i] {
				touched[naming.folder] = true
			}
		}
	}
	pending := []change{}
	for i, change := range disk.changes {
		if isDurable[i] {
			change.applyTo(durableOf)
		} else {
			pending = append(pending, change)
		}
	}
	disk.changes = pending
}

func (disk *disk) syncFile(file *node) {
	file.durable.content = append([]byte{}, file.live.content...)
	file.writes = nil
}

// ---- What processes do

func (disk *disk) String() string { return "powercut" }

// Acquires the lock for a request, and returns its node.
func (disk *disk) begin(id uint64) *node {
	disk.Lock()
	return disk.nodes[id]
}

func (disk *disk) make(changes change) {
	for _, naming := range changes {
		naming.folder.changed = time.Now()
	}
	changes.applyTo(liveOf)
	disk.changes = append(disk.changes, changes)
}

func (disk *disk) create(header *fuse.InHeader, name string, mode uint32, out *fuse.EntryOut) (*node, fuse.Status) {
	folder := disk.nodes[header.NodeId]
	if folder == nil {
		return nil, fuse.ENOENT
	}
	if folder.live.names[name] != nil {
		return nil, fuse.Status(syscall.EEXIST)
	}
	made := disk.newNode(mode, header.Owner)
	disk.make(change{{folder, name, made}})
	made.describeEntry(out)
	return made, fuse.OK
}

func (node *node) describeEntry(out *fuse.EntryOut) {
	out.NodeId = node.id
	out.Generation = 1
	node.describe(&out.Attr)
}

func (node *node) describe(out *fuse.Attr) {
	out.Ino, out.Mode, out.Nlink, out.Blksize = node.id, node.mode, 1, 4096
	out.Uid, out.Gid = node.uid, node.gid
	out.Size = uint64(len(node.live.content) + len(node.target))
	out.Blocks = (out.Size + 511) / 512
	out.SetTimes(&node.changed, &node.changed, &node.changed)
}

func (disk *disk) Lookup(_ <-chan struct{}, header *fuse.InHeader, name string, out *fuse.EntryOut) fuse.Status {
	folder := disk.begin(header.NodeId)
	defer disk.Unlock()
	if folder == nil || folder.live.names[name] == nil {
		return fuse.ENOENT
	}
	folder.live.names[name].describeEntry(out)
	return fuse.OK
}

func (disk *disk) GetAttr(_ <-chan struct{}, input *fuse.GetAttrIn, out *fuse.AttrOut) fuse.Status {
	node := disk.begin(input.NodeId)
	defer disk.Unlock()
	if node == nil {
		return fuse.ENOENT
	}
	node.describe(&out.Attr)
	return fuse.OK
}

func (disk *disk) SetAttr(_ <-chan struct{}, input *fuse.SetAttrIn, out *fuse.AttrOut) fuse.Status {
	node := disk.begin(input.NodeId)
	defer disk.Unlock()
	if node == nil {
		return fuse.ENOENT
	}
	if mode, ok := input.GetMode(); ok {
		node.mode = node.mode&syscall.S_IFMT | mode&0o7777
	}
	if uid, ok := input.GetUID(); ok {
		node.uid = uid
	}
	if gid, ok := input.GetGID(); ok {
		node.gid = gid
	}
	if size, ok := input.GetSize(); ok {
		node.write(write{offset: int64(size)})
	}
	node.describe(&out.Attr)
	return fuse.OK
}

func (node *node) write(write write) {
	node.live.content = write.applyTo(node.live.content)
	node.writes = append(node.writes, write)
	node.changed = time.Now()
}

func (disk *disk) Mknod(_ <-chan struct{}, input *fuse.MknodIn, name string, out *fuse.EntryOut) fuse.Status {
	disk.Lock()
	defer disk.Unlock()
	_, status := disk.create(&input.InHeader, name, input.Mode, out)
	return status
}

func (disk *disk) Mkdir(_ <-chan struct{}, input *fuse.MkdirIn, name string, out *fuse.EntryOut) fuse.Status {
	disk.Lock()
	defer disk.Unlock()
	_, status := disk.create(&input.InHeader, name, syscall.S_IFDIR|input.Mode&0o7777, out)
	return status
}

func (disk *disk) Create(_ <-chan struct{}, input *fuse.CreateIn, name string, out *fuse.CreateOut) fuse.Status {
	disk.Lock()
	defer disk.Unlock()
	_, status := disk.create(&input.InHeader, name, syscall.S_IFREG|input.Mode&0o7777, &out.EntryOut)
	return status
}

func (disk *disk) Symlink(_ <-chan struct{}, header *fuse.InHeader, target, name string, out *fuse.EntryOut) fuse.Status {
	disk.Lock()
	defer disk.Unlock()
	made, status := disk.create(header, name, syscall.S_IFLNK|0o777, out)
	if made != nil {
		made.target = target
		made.describeEntry(out)
	}
	return status
}

func (disk *disk) Readlink(_ <-chan struct{}, header *fuse.InHeader) ([]byte, fuse.Status) {
	link := disk.begin(header.NodeId)
	defer disk.Unlock()
	if link == nil {
		return nil, fuse.ENOENT
	}
	return []byte(link.target), fuse.OK
}

func (disk *disk) Unlink(_ <-chan struct{}, header *fuse.InHeader, name string) fuse.Status {
	folder := disk.begin(header.NodeId)
	defer disk.Unlock()
	if folder == nil || folder.live.names[name] == nil {
		return fuse.ENOENT
	}
	disk.make(change{{folder, name, nil}})
	return fuse.OK
}

func (disk *disk) Rmdir(cancel <-chan struct{}, header *fuse.InHeader, name string) fuse.Status {
	disk.Lock()
	removed := disk.nodes[header.NodeId].live.names[name]
	isFull := removed != nil && len(removed.live.names) > 0
	disk.Unlock()
	if isFull {
		return fuse.Status(syscall.ENOTEMPTY)
	}
	return disk.Unlink(cancel, header, name)
}

func (disk *disk) Rename(_ <-chan struct{}, input *fuse.RenameIn, from, to string) fuse.Status {
	source := disk.begin(input.NodeId)
	defer disk.Unlock()
	target := disk.nodes[input.Newdir]
	if source == nil || target == nil || source.live.names[from] == nil {
		return fuse.ENOENT
	}
	if input.Flags != 0 {
		return fuse.EINVAL
	}
	if replaced := target.live.names[to]; replaced != nil && len(replaced.live.names) > 0 {
		return fuse.Status(syscall.ENOTEMPTY)
	}
	disk.make(change{{source, from, nil}, {target, to, source.live.names[from]}})
	return fuse.OK
}

func (disk *disk) Link(_ <-chan struct{}, input *fuse.LinkIn, name string, out *fuse.EntryOut) fuse.Status {
	folder := disk.begin(input.NodeId)
	defer disk.Unlock()
	linked := disk.nodes[input.Oldnodeid]
	if folder == nil || linked == nil {
		return fuse.ENOENT
	}
	if folder.live.names[name] != nil {
		return fuse.Status(syscall.EEXIST)
	}
	disk.make(change{{folder, name, linked}})
	linked.describeEntry(out)
	return fuse.OK
}

func (disk *disk) Open(_ <-chan struct{}, input *fuse.OpenIn, _ *fuse.OpenOut) fuse.Status {
	node := disk.begin(input.NodeId)
	defer disk.Unlock()
	if node == nil {
		return fuse.ENOENT
	}
	if input.Flags&syscall.O_TRUNC != 0 {
		node.write(write{offset: 0})
	}
	return fuse.OK
}

func (disk *disk) Read(_ <-chan struct{}, input *fuse.ReadIn, buffer []byte) (fuse.ReadResult, fuse.Status) {
	node := disk.begin(input.NodeId)
	defer disk.Unlock()
	if node == nil {
		return nil, fuse.ENOENT
	}
	from := min(int(input.Offset), len(node.live.content))
	to := min(from+len(buffer), len(node.live.content))
	return fuse.ReadResultData(append([]byte{}, node.live.content[from:to]...)), fuse.OK
}

func (disk *disk) Write(_ <-chan struct{}, input *fuse.WriteIn, bytes []byte) (uint32, fuse.Status) {
	node := disk.begin(input.NodeId)
	defer disk.Unlock()
	if node == nil {
		return 0, fuse.ENOENT
	}
	node.write(write{offset: int64(input.Offset), bytes: append([]byte{}, bytes...)})
	return uint32(len(bytes)), fuse.OK
}

func (disk *disk) Fsync(_ <-chan struct{}, input *fuse.FsyncIn) fuse.Status {
	node := disk.begin(input.NodeId)
	defer disk.Unlock()
	if node == nil {
		return fuse.ENOENT
	}
	disk.syncFile(node)
	return fuse.OK
}

func (disk *disk) FsyncDir(_ <-chan struct{}, input *fuse.FsyncIn) fuse.Status {
	node := disk.begin(input.NodeId)
	defer disk.Unlock()
	if node == nil {
		return fuse.ENOENT
	}
	disk.syncFolder(node)
	return fuse.OK
}

func (disk *disk) OpenDir(_ <-chan struct{}, _ *fuse.OpenIn, _ *fuse.OpenOut) fuse.Status {
	return fuse.OK
}

func (disk *disk) ReadDir(_ <-chan struct{}, input *fuse.ReadIn, out *fuse.DirEntryList) fuse.Status {
	folder := disk.begin(input.NodeId)
	defer disk.Unlock()
	if folder == nil {
		return fuse.ENOENT
	}
	names := sortedNames(folder.live.names)
	for i := int(input.Offset); i < len(names); i++ {
		node := folder.live.names[names[i]]
		if !out.AddDirEntry(fuse.DirEntry{Name: names[i], Ino: node.id, Mode: node.mode, Off: uint64(i + 1)}) {
			break
		}
	}
	return fuse.OK
}

func sortedNames(names map[string]*node) []string {
	sorted := make([]string, 0, len(names))
	for name := range names {
		sorted = append(sorted, name)
	}
	sort.Strings(sorted)
	return sorted
}

func (disk *disk) Access(_ <-chan struct{}, _ *fuse.AccessIn) fuse.Status { return fuse.OK }
func (disk *disk) Flush(_ <-chan struct{}, _ *fuse.FlushIn) fuse.Status   { return fuse.OK }

func (disk *disk) StatFs(_ <-chan struct{}, _ *fuse.InHeader, out *fuse.StatfsOut) fuse.Status {
	out.Bsize, out.Blocks, out.Bfree, out.Bavail, out.NameLen = 4096, 1<<20, 1<<19, 1<<19, 255
	return fuse.OK
}
