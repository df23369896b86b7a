/** `f_type` of file systems whose files are on another machine or provided by a program (statfs(2)). */
const remoteTypes = {
  nfs: 0x6969,
  smb: 0x517b,
  cifs: 0xff534d42,
  smb2: 0xfe534d42,
  fuse: 0x65735546,
  plan9: 0x01021997,
  coda: 0x73757245,
  openAfs: 0x5346414f,
  kernelAfs: 0x6b414653,
  ceph: 0x00c36400,
};

/** `f_type` of other file systems that several machines change: clusters and the folders that virtual machines share. */
const sharedTypes = {
  lustre: 0x0bd00bd0,
  gpfs: 0x47504653,
  gfs2: 0x01161970,
  ocfs2: 0x7461636f,
  ncp: 0x564c,
  virtualBox: 0x786f4256,
  vmware: 0xbacbacbc,
};

const remote: ReadonlySet<number> = new Set(Object.values(remoteTypes));
const unreported: ReadonlySet<number> = new Set([...remote, ...Object.values(sharedTypes)]);

/** Node returns `f_type` as a signed number on some systems. */
const unsigned = (type: number): number => type >>> 0;

export const isFuse = (type: number): boolean => unsigned(type) === remoteTypes.fuse;

/** Whether reading from a file system with this `f_type` may be expensive. */
export const isRemote = (type: number): boolean => remote.has(unsigned(type));

/** Whether the kernel reports every change of a file system with this `f_type`, those by other machines and programs as well. */
export const reportsChanges = (type: number): boolean => !unreported.has(unsigned(type));
