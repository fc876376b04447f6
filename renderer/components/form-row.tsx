import type { ReactNode } from 'react';

export interface FormRowProps {
  readonly label: string;
  /** The control's id where the label should lead to it. */
  readonly htmlFor?: string;
  readonly children: ReactNode;
}

/** A label of 104 px and what it names. */
export function FormRow({ label, htmlFor, children }: FormRowProps) {
  return (
    <div className="form-row">
      {htmlFor ? <label htmlFor={htmlFor}>{label}</label> : <span className="form-label">{label}</span>}
      <div className="form-value">{children}</div>
    </div>
  );
}
