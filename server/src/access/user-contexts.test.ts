import { symlink } from 'node:fs/promises';
import { virtualPath } from '@filestead/contract/paths/virtual-path';
import { expect, onTestFinished, test } from 'vitest';
import { newUser } from '../../test/new-user.ts';
import { openDatabase } from '../database/open-database.ts';
import { temporaryDisks } from '../storage/testing/temporary-disk.ts';
import { openUserContexts } from './user-contexts.ts';
import { openGlobalSettings } from './global-settings.ts';

const disks = temporaryDisks();

test.skipIf(process.platform === 'win32')(
  'a rule matches case-insensitively on a mounted case-insensitive disk, also through a scope and a symbolic link',
  async () => {
    const { storage, root } = await disks.open({
      files: { 'stick/Secret/a.txt': 'a', 'stick/open.txt': 'o', 'Secret/b.txt': 'b' },
      letterCases: [
        { names: [], isIgnored: false },
        { names: ['stick'], isIgnored: true },
      ],
    });
    await symlink('stick', `${root}/usb`);
    const database = await openDatabase(':memory:');
    onTestFinished(async () => {
      await storage.close();
      await database.close();
    });
    const settings = await openGlobalSettings(database.settings);
    const userContexts = openUserContexts({ users: database.users, settings, storage });
    const open = async (username: string, scope: string, denied: string) => {
      const { id } = await database.users.create(newUser(username, scope, [denied]));
      const opened = await userContexts.ownerOf(id);
      onTestFinished(() => opened?.release());
      if (opened === null) throw new Error('no such user');
      return opened.owner.storage();
    };

    const whole = await open('whole', '/', '/stick/secret');
    const inside = await open('inside', '/stick', '/sECRET');
    const linked = await open('linked', '/usb', '/sECRET');
    const apart = await open('apart', '/', '/secret');
    await expect(whole.stat(virtualPath('/stick/Secret/a.txt'))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(whole.stat(virtualPath('/usb/Secret/a.txt'))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(inside.stat(virtualPath('/Secret/a.txt'))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(linked.stat(virtualPath('/Secret/a.txt'))).rejects.toMatchObject({ code: 'forbidden' });
    expect((await inside.list(virtualPath('/'))).names).toEqual(['open.txt']);
    expect(await apart.stat(virtualPath('/Secret/b.txt'))).toMatchObject({ kind: 'file' });
  },
);
