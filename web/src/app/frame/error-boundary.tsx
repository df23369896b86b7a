import { Component, type ReactNode } from 'react';
import { ErrorPage, statusOfError } from './error-screen.tsx';

/** Renders an error screen in place of children that throw while rendering. */
export class ErrorBoundary extends Component<
  { children: ReactNode },
  { error: unknown; hasFailed: boolean }
> {
  override state = { error: null as unknown, hasFailed: false };

  static getDerivedStateFromError(error: unknown) {
    return { error, hasFailed: true };
  }

  override render(): ReactNode {
    const { error, hasFailed } = this.state;
    if (!hasFailed) return this.props.children;
    return <ErrorPage status={statusOfError(error)} needsReload />;
  }
}
