import type { ChainAlias } from '@firn/codec'
import { ALIASES } from '../format/Chains.ts'

/** Links to the same list of each chain of the Primary Network. */
export function ChainField({
  chain,
  toHref,
}: {
  readonly chain: ChainAlias
  readonly toHref: (chain: ChainAlias) => string
}) {
  return (
    <label class="field">
      Chain
      <select
        value={chain}
        onChange={({ currentTarget: { value } }) => {
          location.hash = toHref(value as ChainAlias)
        }}
      >
        {ALIASES.map((alias) => (
          <option key={alias} value={alias}>
            {alias}-chain
          </option>
        ))}
      </select>
    </label>
  )
}
