import { useEffect } from 'react';
import { Button } from '../../src/ui/buttons/button.tsx';
import { Banner } from '../../src/ui/feedback/banner.tsx';
import { EmptyState } from '../../src/ui/feedback/empty-state.tsx';
import { ProgressBar } from '../../src/ui/feedback/progress-bar.tsx';
import { SavedMark } from '../../src/ui/feedback/saved-mark.tsx';
import { Skeleton } from '../../src/ui/feedback/skeleton.tsx';
import { Spinner } from '../../src/ui/feedback/spinner.tsx';
import { TrayCard } from '../../src/ui/feedback/tray/tray-card.tsx';
import { TraySection } from '../../src/ui/feedback/tray/tray-section.tsx';
import { useTray } from '../../src/ui/feedback/tray/tray-store.ts';
import { FolderPlus, Upload } from '../../src/ui/icons.ts';
import styles from '../kitchen-sink.module.css';

const drawings = ['folder', 'search', 'trash', 'shares', 'missing', 'locked', 'offline', 'broken'] as const;

/** The tray with both sections, kept open. */
function Tray() {
  useEffect(() => useTray.setState({ isHeld: true }), []);
  return (
    <div className={styles.bay} style={{ blockSize: 260 }}>
      <TrayCard
        labels={{ tray: 'Activity', expand: 'Show', collapse: 'Hide', alerts: (count) => `${count} alerts` }}
      />
      <TraySection
        id="uploads"
        label="Uploads"
        title="Uploading 3 of 10"
        progress={0.4}
        isBusy
        size={10}
        alerts={1}
        actions={
          <Button variant="quiet" size="small">
            Pause
          </Button>
        }
      >
        <ProgressBar label="a film.mp4" value={0.4} />
      </TraySection>
      <TraySection id="jobs" label="Jobs" title="Copying" progress={null} isBusy size={1} alerts={0}>
        <ProgressBar label="Copying to Backup" value="indeterminate" />
      </TraySection>
    </div>
  );
}

export function FeedbackParts() {
  return (
    <div className={styles.stack}>
      <ProgressBar label="Upload" value={0.4} />
      <ProgressBar label="Uploaded" value={1} tone="success" />
      <ProgressBar label="Storage" value={0.85} tone="warning" size="medium" />
      <ProgressBar label="Storage that is full" value={1} tone="danger" size="medium" />
      <ProgressBar label="Reading" value="indeterminate" />
      <div className={styles.row}>
        <Spinner />
        <SavedMark isShown>Saved</SavedMark>
      </div>
      <div className={styles.stack}>
        <Skeleton width="60%" />
        <Skeleton width="40%" />
        <Skeleton width="40px" height="40px" isRound />
      </div>
      <Banner text="Multiple selection is on." label="Stop selecting" onAction={() => undefined} />
      <Banner
        tone="warning"
        text="The folder could not be read to the end."
        label="Try again"
        onAction={() => undefined}
      />
      <Tray />
      <div className={styles.grid}>
        {drawings.map((drawing) => (
          <EmptyState
            key={drawing}
            illustration={drawing}
            headingLevel={3}
            title="Nothing here yet"
            actions={
              drawing === 'folder' && (
                <>
                  <Button icon={<Upload />}>Upload</Button>
                  <Button icon={<FolderPlus />}>New folder</Button>
                </>
              )
            }
          >
            Drop files here or
          </EmptyState>
        ))}
      </div>
    </div>
  );
}
