import { act, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { SoundControls } from './sound-controls.tsx';

/** Renders the controls of a recording of two minutes. */
function show(): HTMLAudioElement {
  const media = document.createElement('audio');
  let isPaused = true;
  const setPaused = (isNow: boolean): void => {
    isPaused = isNow;
    media.dispatchEvent(new Event(isNow ? 'pause' : 'play'));
  };
  Object.defineProperties(media, {
    duration: { value: 120 },
    paused: { get: () => isPaused },
    play: { value: async () => setPaused(false) },
    pause: { value: () => setPaused(true) },
  });
  render(
    <SoundControls
      player={{ current: media }}
      isVideo={false}
      rate={1}
      subtitles={[]}
      subtitle={null}
      onSubtitle={vi.fn()}
      onMinimize={undefined}
    />,
  );
  return media;
}

test('plays and pauses, and says which of both the button does', async () => {
  const media = show();
  await userEvent.click(screen.getByRole('button', { name: 'Play' }));
  expect(media.paused).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
  expect(media.paused).toBe(true);
});

test('shows the position, and changes it', () => {
  const media = show();
  const slider = screen.getByRole('slider', { name: 'Position' });
  media.currentTime = 65;
  act(() => void media.dispatchEvent(new Event('timeupdate')));
  expect(slider.getAttribute('aria-valuetext')).toBe('1:05 of 2:00');
  fireEvent.change(slider, { target: { value: '90' } });
  expect(media.currentTime).toBe(90);
});

test('changes the volume, which turns the sound on again', async () => {
  const media = show();
  await userEvent.click(screen.getByRole('button', { name: 'Mute' }));
  expect(media.muted).toBe(true);
  const slider = screen.getByRole('slider', { name: 'Volume' });
  fireEvent.change(slider, { target: { value: '0.5' } });
  expect([media.muted, media.volume]).toEqual([false, 0.5]);
});
