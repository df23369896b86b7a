import type { Screen, Stage } from './screen.ts';

const openMenu = async ({ page, go }: Stage, name: string): Promise<void> => {
  await go('/files/');
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('menu').waitFor();
};

/** The menus of the folder, of the account, and of the phone. */
export const menuScreens: readonly Screen[] = [
  {
    name: 'menu-new',
    as: 'user',
    only: 'desktop',
    open: (stage) => openMenu(stage, stage.text('files:new')),
  },
  {
    name: 'menu-create',
    as: 'user',
    only: 'desktop',
    open: (stage) => openMenu(stage, stage.text('app:frame.create')),
  },
  {
    name: 'menu-sort',
    as: 'user',
    only: 'desktop',
    open: (stage) => openMenu(stage, stage.text('files:sortAndDisplay')),
  },
  {
    name: 'menu-account',
    as: 'user',
    only: 'desktop',
    open: (stage) => openMenu(stage, stage.text('app:frame.account', { name: 'maria' })),
  },
  {
    name: 'menu-more',
    as: 'user',
    only: 'phone',
    open: (stage) => openMenu(stage, stage.text('files:moreActions')),
  },
  {
    name: 'menu-add',
    as: 'user',
    only: 'phone',
    open: (stage) => openMenu(stage, stage.text('files:add')),
  },
  {
    name: 'you',
    as: 'user',
    only: 'phone',
    open: ({ go }) => go('/you'),
  },
  {
    name: 'sidebar-collapsed',
    as: 'user',
    only: 'desktop',
    open: async ({ page, go, text }) => {
      await go('/files/');
      await page.getByRole('button', { name: text('app:frame.collapseSidebar') }).click();
    },
    close: ({ page, text }) => page.getByRole('button', { name: text('app:frame.expandSidebar') }).click(),
  },
];
