import type { Place, Position } from '@filestead/contract/previews';

interface Town {
  readonly place: Place;
  readonly position: Position;
  /** The distance from its center within which a position counts as inside, in km. */
  readonly radiusKm: number;
}

/** The radius of a town by its size in the table. */
const radiiKm = [0, 3, 6, 12];
/** The maximum distance from the edge of a town at which a position is named after it, in km. */
const maxDistanceKm = 30;
const kmPerDegree = 111.2;
/** Degrees of latitude within which a town can be near enough. */
const bandDegrees = (maxDistanceKm + Math.max(...radiiKm)) / kmPerDegree;

/** Reads the table of towns, from south to north. */
function parseTowns(table: string): Town[] {
  const found: Town[] = [];
  for (const line of table.trim().split('\n')) {
    const country = line.slice(0, 2);
    for (const entry of line.slice(3).split(';')) {
      const [, town = '', latitude, longitude, size = '0'] =
        /^(.+?) (-?\d+) (-?\d+)(?: ([1-3]))?$/.exec(entry) ?? [];
      const position = { latitude: Number(latitude) / 100, longitude: Number(longitude) / 100 };
      found.push({ place: { town, country }, position, radiusKm: radiiKm[Number(size)] ?? 0 });
    }
  }
  return found.toSorted((one, other) => one.position.latitude - other.position.latitude);
}

/** The distance in km, precise enough for less than 100 km: the surface between two near points is taken as flat. */
function distanceKm(one: Position, other: Position): number {
  const awayDegrees = Math.abs(one.longitude - other.longitude);
  const eastDegrees = Math.min(awayDegrees, 360 - awayDegrees);
  const middle = ((one.latitude + other.latitude) / 2) * (Math.PI / 180);
  return Math.hypot(one.latitude - other.latitude, eastDegrees * Math.cos(middle)) * kmPerDegree;
}

/** Returns the index of the first town at or north of a latitude. */
function firstAt(towns: readonly Town[], latitude: number): number {
  let [low, high] = [0, towns.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((towns[middle]?.position.latitude ?? 0) < latitude) low = middle + 1;
    else high = middle;
  }
  return low;
}

let loading: Promise<Town[]> | undefined;

/** Returns the town at or near a position; null far from all towns. The table is loaded at the first call. */
export async function placeAt(position: Position): Promise<Place | null> {
  loading ??= import('./towns.ts').then(({ towns }) => parseTowns(towns));
  const towns = await loading;
  let nearest: Town | null = null;
  let leastKm = maxDistanceKm;
  for (let index = firstAt(towns, position.latitude - bandDegrees); index < towns.length; index++) {
    const candidate = towns[index];
    if (candidate === undefined || candidate.position.latitude > position.latitude + bandDegrees) break;
    const awayKm = distanceKm(position, candidate.position) - candidate.radiusKm;
    if (awayKm >= leastKm) continue;
    leastKm = awayKm;
    nearest = candidate;
  }
  return nearest && nearest.place;
}
