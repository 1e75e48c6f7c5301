import type { Decoded } from '@firn/client'
import { count } from '../../format/Amounts.ts'
import { clean } from '../../format/ChainText.ts'
import { sourceText, valueText } from '../../format/Decodings.ts'
import { type Fact, Facts } from '../Facts.tsx'
import { Raw } from '../Raw.tsx'
import { AddressLink } from './Links.tsx'

/** Values up to this number of characters are shown in the list, others in a box that scrolls. */
const MOST_CHARACTERS = 80

/** A decoded call or event: its parameters with their exact values, and where the signature is from. */
export function Decoding({ chainId, decoded }: { readonly chainId: string; readonly decoded: Decoded }) {
  const { parameters = [], source, alternatives, extraBytes, reason } = decoded
  return (
    <Facts
      facts={[
        ...parameters.map(
          ({ name, type, value, isHash }, index): Fact => [
            `${index + 1}. ${clean(`${name} ${type}`)}${isHash === true ? ' (hash)' : ''}`,
            <Value chainId={chainId} name={`Value ${index + 1}`} type={type} value={value} />,
          ],
        ),
        ['Not decoded', reason !== undefined && clean(reason, reason.length)],
        ['More bytes', extraBytes !== undefined && `${count(extraBytes)} follow after the parameters`],
        ['Source', source !== undefined && sourceText(source)],
        [
          'Fits as well',
          alternatives !== undefined && <bdi class="code">{clean(alternatives.join(', '), 400)}</bdi>,
        ],
      ]}
    />
  )
}

function Value({
  chainId,
  name,
  type,
  value,
}: {
  readonly chainId: string
  readonly name: string
  readonly type: string
  readonly value: unknown
}) {
  if (type === 'address' && typeof value === 'string')
    return <AddressLink chainId={chainId} of={{ address: value as `0x${string}` }} isWhole />
  const text = valueText(value)
  if (text.length > MOST_CHARACTERS || text.includes('\n')) return <Raw name={name} text={text} />
  return <bdi class="code">{text === '' ? '(empty)' : clean(text)}</bdi>
}
