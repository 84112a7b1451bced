// What is shown in place of a part that is slow to load, or that failed.
import { Component, useEffect, useState, type ReactNode } from 'react';
import { strings } from '../i18n/strings.ts';

/** True once it has lasted: what comes at once needs no "loading". */
export function useAfter(ms: number): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}

export function SlowNotice(): ReactNode {
  return useAfter(300) ? <p className="meta pad">{strings.app.loading}</p> : null;
}

/** One part that fails leaves the others standing; a part of an older build that is gone asks for a reload. */
export class Guard extends Component<{ children: ReactNode; resetKey: string }, { failed: string | null }> {
  override state: { failed: string | null } = { failed: null };

  static getDerivedStateFromError(): { failed: string } {
    return { failed: '' };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ failed: this.props.resetKey });
  }

  override componentDidUpdate(): void {
    const { failed } = this.state;
    if (failed !== null && failed !== '' && failed !== this.props.resetKey) this.setState({ failed: null });
  }

  override render(): ReactNode {
    if (this.state.failed === null) return this.props.children;
    return (
      <div className="empty" role="alert">
        <h1>{strings.app.brokenTitle}</h1>
        <p>{strings.app.broken}</p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {strings.app.reload}
        </button>
      </div>
    );
  }
}
