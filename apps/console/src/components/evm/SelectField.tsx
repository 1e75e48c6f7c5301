/** A choice between values with names. */
export function SelectField<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string
  readonly value: Value
  /** Names of the values, in the order in which they are shown. */
  readonly options: Readonly<Record<Value, string>>
  readonly onChange: (value: Value) => void
}) {
  const entries = Object.entries(options) as [Value, string][]
  return (
    <label class="field">
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}>
        {entries.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
