import { beforeEach, expect, test } from 'vitest';
import { closeDetailsByEscape, setDetailsOpen, useDetails } from './details-state.ts';

const noSelection = { selectionVersion: 3, selectedCount: 0, isSelecting: false };
const one = { ...noSelection, selectedCount: 1 };
const isOpen = () => useDetails.getState().isOpen;

beforeEach(() => setDetailsOpen(false));

test('closes the details with Escape when nothing is selected', () => {
  setDetailsOpen(true);
  expect([closeDetailsByEscape(noSelection), isOpen()]).toEqual([true, false]);
});

test('closes details that were opened for the selection before Escape clears it', () => {
  setDetailsOpen(true, one.selectionVersion);
  expect([closeDetailsByEscape(one), isOpen()]).toEqual([true, false]);
  expect(closeDetailsByEscape(one)).toBe(false);
});

test('leaves Escape to a selection that was made after the details were opened', () => {
  setDetailsOpen(true, one.selectionVersion);
  expect([closeDetailsByEscape({ ...one, selectionVersion: 4 }), isOpen()]).toEqual([false, true]);
  expect([
    closeDetailsByEscape({ ...noSelection, isSelecting: true, selectionVersion: 4 }),
    isOpen(),
  ]).toEqual([false, true]);
});
