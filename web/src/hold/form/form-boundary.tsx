import { Component, type ReactNode } from 'react';

interface Props {
  onBroken: () => void;
  children: ReactNode;
}

/** A form that cannot be drawn after all is answered as JSON. A class: React catches errors in no other way. */
export class FormBoundary extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override componentDidCatch(): void {
    this.props.onBroken();
  }

  override render(): ReactNode {
    return this.state.isBroken ? null : this.props.children;
  }
}
