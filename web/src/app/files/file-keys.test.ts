import { expect, test } from 'vitest';
import { playerAction } from '../../features/previews/media/player-keys.ts';
import { playerKeys } from './file-keys.ts';

const pressed: Readonly<Record<string, string>> = { Space: ' ' };

test('handles every player key listed in the help', () => {
  const player = document.createElement('video');
  // The arrow keys control the player once it has been played.
  Object.defineProperty(player, 'played', { value: { length: 1 } });
  for (const key of playerKeys.flatMap<string>(({ keys }) => keys)) {
    const name = pressed[key] ?? (key.length === 1 ? key.toLowerCase() : key);
    expect(playerAction(name, player), key).not.toBeNull();
  }
});
