import type { Json } from '@firn/codec'
import { count } from '../../format/Amounts.ts'
import { Id } from '../Id.tsx'

type Value = Json.Json
type Members = { readonly [name: string]: Value }

/** Names of members that are not the words of their name. */
const NAMES: Readonly<Record<string, string>> = {
  id: 'Message id',
  networkID: 'Network',
  sourceChainID: 'Source chain',
  nodeID: 'Node',
  subnetID: 'Subnet',
  validationID: 'Validation',
  blsPublicKey: 'BLS public key',
}

/** The fields of a decoded structure and of the structures in it. */
export function Fields({ tree }: { readonly tree: Members }) {
  return (
    <dl class="facts fields">
      {Object.entries(tree).map(([name, value]) => (
        <div key={name} class={isNested(value) ? 'field-nested' : undefined}>
          <dt>{NAMES[name] ?? words(name)}</dt>
          <dd>
            <Content value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Content({ value }: { readonly value: Value }) {
  if (typeof value === 'string') return <Id id={value} isWhole />
  if (typeof value === 'bigint' || typeof value === 'number') return <>{count(value)}</>
  if (Array.isArray(value)) return <Elements values={value} />
  if (typeof value === 'object' && value !== null) return <Fields tree={value as Members} />
  return <>{String(value)}</>
}

function Elements({ values }: { readonly values: readonly Value[] }) {
  if (values.every((value) => typeof value === 'number')) return <>{values.join(', ')}</>
  return (
    <ul>
      {values.map((value, index) => (
        // Elements of a message have no ids, and their order does not change.
        <li key={index}>
          <Content value={value} />
        </li>
      ))}
    </ul>
  )
}

function isNested(value: Value): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Converts the name of a member to words: `sourceAddress` to `Source address`. */
function words(name: string): string {
  const text = name
    .replace(/ID\b/, ' id')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
