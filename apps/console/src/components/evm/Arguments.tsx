import type { Argument } from '../../format/Words.ts'
import { Facts } from '../Facts.tsx'
import { AddressLink } from './Links.tsx'

/** The arguments of a call or an event, each with its type. */
export function Arguments({
  chainId,
  values,
}: {
  readonly chainId: string
  readonly values: readonly Argument[]
}) {
  return (
    <Facts
      facts={values.map(({ type, value }, index) => [
        `${index + 1}: ${type}`,
        type === 'address' ? <AddressLink chainId={chainId} of={{ address: value }} isWhole /> : value,
      ])}
    />
  )
}
