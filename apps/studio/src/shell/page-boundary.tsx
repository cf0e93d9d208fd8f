import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/state.tsx';

interface Props {
  path: string;
  children: ReactNode;
}

/**
 * Catches errors of a page, mostly because a new version of the studio replaced its files, and offers to reload. Another path
 * is rendered again.
 */
export class PageBoundary extends Component<Props, { error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ path }: Props) {
    if (path !== this.props.path && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <ErrorState
        isPage
        title="This page failed"
        error={new Error('A newer version of Croft may have replaced it. Reload the page.')}
        action={
          <Button look="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      />
    );
  }
}
