import { setLabel, useSettings } from '../state/Settings.ts'

/** A field for the user's own name of an id. */
export function LabelField({ id }: { readonly id: string }) {
  const label = useSettings().labels[id] ?? ''
  return (
    <label class="field">
      Label
      <input
        value={label}
        placeholder="Only in this browser"
        onChange={({ currentTarget: { value } }) => setLabel(id, value)}
      />
    </label>
  )
}
