import { expect, test } from 'vitest';
import { placeAt } from './place-at.ts';

test.each([
  ['an open-air museum in a city', 59.3262, 18.1035, { town: 'Stockholm', country: 'SE' }],
  [
    'a park in a city of the southern and western hemisphere',
    -34.5711,
    -58.4233,
    { town: 'Buenos Aires', country: 'AR' },
  ],
  [
    'the center of a smaller town beside a city',
    48.2489,
    11.6532,
    { town: 'Garching bei München', country: 'DE' },
  ],
  ['the open sea', 0.5, -30, null],
  ['the pole', 90, 0, null],
])('names the town of %s', async (_, latitude, longitude, place) => {
  expect(await placeAt({ latitude, longitude })).toEqual(place);
});

test('finds a town across the date line', async () => {
  const labasa = { town: 'Labasa', country: 'FJ' };
  expect(await placeAt({ latitude: -16.43, longitude: 179.38 })).toEqual(labasa);
  expect(await placeAt({ latitude: -16.43, longitude: 179.38 - 360 })).toEqual(labasa);
});
