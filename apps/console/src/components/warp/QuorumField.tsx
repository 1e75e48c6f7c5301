/** Percentage of the weight that must sign by default. */
export const DEFAULT_QUORUM = 67

/** A field for the percentage of the weight that must sign. */
export function QuorumField({
  value,
  onChange,
}: {
  readonly value: number
  readonly onChange: (percentage: number) => void
}) {
  return (
    <label class="field">
      Quorum
      <input
        type="number"
        min={1}
        max={100}
        required
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.valueAsNumber || DEFAULT_QUORUM)}
      />
      %
    </label>
  )
}
