import { type ReactNode, useId } from 'react';

export interface SettingLineProps {
  readonly title: string;
  readonly hint?: string;
  /** Gets the id of the title, by which the control is named. */
  readonly children: (titleId: string) => ReactNode;
}

/** One setting: its name, what it does, and its control at the right. */
export function SettingLine({ title, hint, children }: SettingLineProps) {
  const id = useId();
  return (
    <li className="setting">
      <div className="grow">
        <p id={id} className="medium">
          {title}
        </p>
        {hint && <p className="setting-hint">{hint}</p>}
      </div>
      {children(id)}
    </li>
  );
}
