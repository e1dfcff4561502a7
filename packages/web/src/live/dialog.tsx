import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { whyOf } from '../parts/use-loaded.ts';

/** Asks a person before something is done. What goes wrong is said in it. */
export function Dialog({
  title,
  verb,
  danger = false,
  onClose,
  onDo,
  children,
}: {
  title: string;
  verb: string;
  danger?: boolean;
  onClose(): void;
  onDo(form: FormData): Promise<void>;
  children?: ComponentChildren;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => ref.current?.showModal(), []);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await onDo(new FormData(event.currentTarget as HTMLFormElement));
      onClose();
    } catch (error) {
      setProblem(whyOf(error));
      setBusy(false);
    }
  };
  return (
    <dialog ref={ref} onClose={onClose} aria-labelledby="dialog-title">
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="dialog-title">{title}</h2>
        {children}
        {problem !== null && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="dialog-end">
          <button type="button" onClick={() => ref.current?.close()}>
            Cancel
          </button>
          <button type="submit" class={danger ? 'danger' : 'primary'} disabled={isBusy}>
            {verb}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** A field that was left empty was not said. */
export const textIn = (form: FormData, name: string): string | undefined => {
  const value = String(form.get(name) ?? '').trim();
  return value === '' ? undefined : value;
};

export const numberIn = (form: FormData, name: string): number | undefined => {
  const text = textIn(form, name);
  return text === undefined ? undefined : Number(text);
};

/** Without the fields that nobody filled in. */
export const said = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
