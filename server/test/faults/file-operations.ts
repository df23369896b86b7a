import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { compareListing, fileOperation, type Operation } from './attempts.ts';
import type { Client } from './client.ts';
import { contentOf, type Files, findLosses, writeFiles, readTree, treeOf } from './trees.ts';

const KiB = 1024;
const old = contentOf('old', 300 * KiB);
const fresh = contentOf('new', 2500 * KiB);
const small = contentOf('small', 5 * KiB);
const other = contentOf('other', 700 * KiB);

/** A small tree below `name`. */
const treeAt = (name: string): Files => ({
  [`${name}/a.bin`]: small,
  [`${name}/empty/`]: null,
  [`${name}/deep/b.bin`]: other,
  [`${name}/deep/er/c.bin`]: contentOf('c', 100),
  [`${name}/deep/er/empty.txt`]: Buffer.alloc(0),
});

const patch = (
  client: Client,
  action: 'copy' | 'rename',
  [from, to]: [string, string],
  more = '',
): Promise<unknown> =>
  client.call('PATCH', `/resources${from}?action=${action}&destination=${encodeURIComponent(to)}${more}`);

const writing: Operation[] = [
  fileOperation({
    name: 'upload of a new file',
    before: { 'beside.bin': old },
    after: { 'beside.bin': old, 'new.bin': fresh },
    async run(client, at) {
      await client.call('POST', `/resources${at}/new.bin`, { body: fresh });
    },
  }),
  fileOperation({
    name: 'upload over a file',
    before: { 'a.bin': old },
    after: { 'a.bin': fresh },
    async run(client, at) {
      await client.call('POST', `/resources${at}/a.bin?override=true`, { body: fresh });
    },
  }),
  fileOperation({
    name: 'upload with new folders',
    before: { 'beside.bin': old },
    after: { 'beside.bin': old, 'sub/deep/new.bin': fresh },
    async run(client, at) {
      await client.call('POST', `/resources${at}/sub/deep/new.bin`, { body: fresh });
    },
  }),
  fileOperation({
    name: 'save',
    before: { 'text.txt': old },
    after: { 'text.txt': other },
    async run(client, at) {
      await client.call('PUT', `/resources${at}/text.txt`, { body: other });
    },
  }),
  fileOperation({
    name: 'upload of a small file',
    isSmallUpload: true,
    before: { 'beside.bin': old },
    after: { 'beside.bin': old, 'new.bin': small },
    async run(client, at) {
      await client.call('POST', `/resources${at}/new.bin`, { body: small });
    },
  }),
  fileOperation({
    name: 'upload of a small file over another',
    isSmallUpload: true,
    before: { 'a.bin': old },
    after: { 'a.bin': small },
    async run(client, at) {
      await client.call('POST', `/resources${at}/a.bin?override=true`, { body: small });
    },
  }),
  fileOperation({
    name: 'save of a small file',
    isSmallUpload: true,
    before: { 'text.txt': old },
    after: { 'text.txt': small },
    async run(client, at) {
      await client.call('PUT', `/resources${at}/text.txt`, { body: small });
    },
  }),
  fileOperation({
    name: 'new folder',
    before: { 'beside.bin': old },
    after: { 'beside.bin': old, 'folder/': null },
    async run(client, at) {
      await client.call('POST', `/resources${at}/folder/`);
    },
  }),
];

const transfers: Operation[] = [
  fileOperation({
    name: 'copy of a file',
    before: { 'a.bin': fresh },
    after: { 'a.bin': fresh, 'b.bin': fresh },
    async run(client, at) {
      await patch(client, 'copy', [`${at}/a.bin`, `${at}/b.bin`]);
    },
  }),
  fileOperation({
    name: 'copy over a file',
    before: { 'a.bin': fresh, 'b.bin': old },
    after: { 'a.bin': fresh, 'b.bin': fresh },
    async run(client, at) {
      await patch(client, 'copy', [`${at}/a.bin`, `${at}/b.bin`], '&override=true');
    },
  }),
  fileOperation({
    name: 'copy of a folder',
    before: treeAt('from'),
    after: { ...treeAt('from'), ...treeAt('to') },
    whole: ['to'],
    async run(client, at) {
      await patch(client, 'copy', [`${at}/from`, `${at}/to`]);
    },
  }),
  fileOperation({
    name: 'copy into a folder',
    before: { ...treeAt('from'), 'to/a.bin': old, 'to/own.bin': small },
    after: { ...treeAt('from'), ...treeAt('to'), 'to/own.bin': small },
    async run(client, at) {
      await patch(client, 'copy', [`${at}/from`, `${at}/to`], '&override=true');
    },
  }),
  fileOperation({
    name: 'rename of a file',
    before: { 'a.bin': other },
    after: { 'b.bin': other },
    async run(client, at) {
      await patch(client, 'rename', [`${at}/a.bin`, `${at}/b.bin`]);
    },
  }),
  fileOperation({
    name: 'move over a file',
    before: { 'a.bin': other, 'sub/b.bin': old },
    after: { 'sub/b.bin': other, 'sub/': null },
    async run(client, at) {
      await patch(client, 'rename', [`${at}/a.bin`, `${at}/sub/b.bin`], '&override=true');
    },
  }),
  fileOperation({
    name: 'move of a folder',
    before: { ...treeAt('from'), 'sub/': null },
    after: treeAt('sub/to'),
    whole: ['sub/to'],
    async run(client, at) {
      await patch(client, 'rename', [`${at}/from`, `${at}/sub/to`]);
    },
  }),
  fileOperation({
    name: 'move of an empty folder',
    before: { 'from/': null, 'sub/': null },
    after: { 'sub/to/': null },
    async run(client, at) {
      await patch(client, 'rename', [`${at}/from`, `${at}/sub/to`]);
    },
  }),
  fileOperation({
    name: 'move into a folder',
    before: { ...treeAt('from'), 'to/a.bin': old, 'to/deep/own.bin': small },
    after: { ...treeAt('to'), 'to/deep/own.bin': small },
    async run(client, at) {
      await patch(client, 'rename', [`${at}/from`, `${at}/to`], '&override=true');
    },
  }),
];

const removals: Operation[] = [
  fileOperation({
    name: 'delete of a file',
    before: { 'a.bin': other, 'b.bin': small },
    after: { 'b.bin': small },
    async run(client, at) {
      await client.call('DELETE', `/resources${at}/a.bin`);
    },
  }),
  fileOperation({
    name: 'delete of a folder',
    before: { ...treeAt('gone'), 'b.bin': small },
    after: { 'b.bin': small },
    async run(client, at) {
      await client.call('DELETE', `/resources${at}/gone`);
    },
  }),
];

const jobs: Operation[] = [
  fileOperation({
    name: 'job that copies',
    isJob: true,
    before: { ...treeAt('from'), 'x.bin': old },
    after: { ...treeAt('from'), ...treeAt('to'), 'x.bin': old, 'y.bin': old },
    whole: ['to'],
    run: (client, at) =>
      client.job('copy', [
        { from: `${at}/from`, to: `${at}/to` },
        { from: `${at}/x.bin`, to: `${at}/y.bin` },
      ]),
  }),
  fileOperation({
    name: 'job that moves',
    isJob: true,
    before: { ...treeAt('from'), 'x.bin': old, 'y.bin': small },
    after: { ...treeAt('to'), 'y.bin': old },
    whole: ['to'],
    run: (client, at) =>
      client.job('move', [
        { from: `${at}/from`, to: `${at}/to` },
        { from: `${at}/x.bin`, to: `${at}/y.bin`, overwrite: true },
      ]),
  }),
  fileOperation({
    name: 'job that deletes',
    isJob: true,
    before: { ...treeAt('gone'), 'x.bin': old, 'kept.bin': small },
    after: { 'kept.bin': small },
    run: (client, at) => client.job('delete', [{ from: `${at}/gone` }, { from: `${at}/x.bin` }]),
  }),
];

/** Between disks entries cannot be renamed: they are copied and then removed. */
const acrossDisks: Operation = {
  name: 'move to another disk',
  needsOtherDisk: true,
  async prepare({ client, root, otherDisk }, number) {
    const at = `/w${number}`;
    const target = `/${otherDisk}/w${number}`;
    const folder = join(root, at);
    writeFiles(folder, { ...treeAt('from'), 'x.bin': old });
    writeFiles(join(root, target), { 'y.bin': small });
    return {
      folder,
      async run() {
        await patch(client, 'rename', [`${at}/from`, `${target}/to`]);
        await patch(client, 'rename', [`${at}/x.bin`, `${target}/y.bin`], '&override=true');
      },
      async check(hasResponse) {
        const both = new Map(readTree(folder).tree);
        for (const [path, hash] of readTree(join(root, target)).tree) both.set(`other/${path}`, hash);
        const change = {
          before: treeOf({ ...treeAt('from'), 'x.bin': old, 'other/y.bin': small }),
          after: treeOf({ ...treeAt('other/to'), 'other/y.bin': old }),
          whole: ['other/to'],
        };
        both.set('other', null);
        return findLosses(change, both, hasResponse);
      },
    };
  },
};

/** A resumable upload, which is continued after the restart, or started again. */
function uploadInParts(name: string, isByPath: boolean): Operation {
  const half = fresh.length / 2;
  return {
    name,
    async prepare({ client, root }, number) {
      const at = `/w${number}`;
      const folder = join(root, at);
      writeFiles(folder, { 'a.bin': old });
      const version: Record<string, string> = isByPath ? {} : { 'tus-resumable': '1.0.0' };
      const target = `/tus${at}/a.bin`;
      /** The address of the upload. */
      let address: string | null = null;
      let stored = 0;
      const send = async (from: number, to: number): Promise<void> => {
        await client.call('PATCH', address ?? target, {
          body: fresh.subarray(from, to),
          headers: {
            ...version,
            'content-type': 'application/offset+octet-stream',
            'upload-offset': String(from),
          },
        });
        stored = to;
      };
      return {
        folder,
        async run() {
          const created = await client.call('POST', `${target}?override=true`, {
            headers: { ...version, 'upload-length': String(fresh.length) },
          });
          address = isByPath ? target : (created.headers.get('location') ?? '').replace(/^.*\/api/, '');
          await send(0, half);
          await send(half, fresh.length);
        },
        async check(hasResponse) {
          const change = { before: treeOf({ 'a.bin': old }), after: treeOf({ 'a.bin': fresh }) };
          const found = readTree(folder).tree;
          const problems = [
            ...findLosses(change, found, hasResponse),
            ...(await compareListing(client, at, found)),
          ];
          if (hasResponse || address === null) return problems;
          const head = await client.send('HEAD', address, { headers: version });
          const offset = Number(head.headers.get('upload-offset') ?? -1);
          if (head.status === 404) {
            // An upload by path ends as soon as the file has its name.
            const isComplete = findLosses(change, readTree(folder).tree, true).length === 0;
            if (!isComplete) problems.push(`${stored} stored bytes of an upload are lost`);
            return problems;
          }
          if (offset < stored || offset > fresh.length)
            problems.push(`continues at ${offset} instead of ${stored}`);
          if (offset < fresh.length) await send(offset, fresh.length);
          const { tree, temporary } = readTree(folder);
          if (temporary.length > 0) problems.push('the unfinished file remains after the upload');
          return [...problems, ...findLosses(change, tree, true)];
        },
      };
    },
  };
}

export const fileOperations: readonly Operation[] = [
  ...writing,
  ...transfers,
  ...removals,
  ...jobs,
  acrossDisks,
  uploadInParts('upload in parts', false),
  uploadInParts('upload in parts by path', true),
];
