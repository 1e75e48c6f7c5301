import { ApiKey, IpAddress } from '@firn/http'

/** Maximum number of compute units that a caller may use per minute and per day, and limits of expensive requests. */
export interface Allowance {
  readonly unitsPerMinute: number
  readonly unitsPerDay: number
  /** Maximum number of rows that a caller's expensive requests may read per second and process; by default no limit. */
  readonly rowsPerSecond?: number
  /** Maximum number of a caller's expensive requests in progress per process; by default no limit. */
  readonly concurrent?: number
  /** Maximum number of a caller's open event streams and WebSockets per process; by default no limit. */
  readonly streams?: number
}

/** Who sends a request, and what the caller may use. */
export interface Caller {
  /**
   * Names under which the caller is limited, the narrowest first: an API key, an IPv4 address, or the /64 and the /48 of an
   * IPv6 address. The factor of a name multiplies the allowance.
   */
  readonly limits: IpAddress.LimitKeys
  readonly allowance: Allowance
  /** What a caller can do whose request is rejected. */
  readonly advice: string
}

/** What callers may use. A key can have its own number of units. */
export interface Allowances {
  /** Allowance of callers without a valid key, per address. */
  readonly anonymous: Allowance
  /** Allowance of keys without a separate allowance. */
  readonly keyed: Allowance
}

const KEY = 'key:'
const ADDRESS = 'address:'

/** Returns the caller that a key identifies. */
export function ofKey(key: ApiKey.StoredKey, { keyed }: Allowances): Caller {
  const { unitsPerMinute = keyed.unitsPerMinute, unitsPerDay = keyed.unitsPerDay } = key
  return {
    limits: [{ key: `${KEY}${ApiKey.id(key)}`, factor: 1 }],
    allowance: { ...keyed, unitsPerMinute, unitsPerDay },
    advice: 'ask for less',
  }
}

/** Returns the caller with an address; undefined is an unknown address. */
export function ofAddress(address: IpAddress.IpAddress | undefined, { anonymous }: Allowances): Caller {
  const [own, ...wider] = IpAddress.toLimitKeys(address)
  const named = ({ key, factor }: IpAddress.LimitKey) => ({ key: ADDRESS + key, factor })
  return {
    limits: [named(own), ...wider.map(named)],
    allowance: anonymous,
    advice: 'use an API key, or ask for less',
  }
}

/** Returns the narrowest name of a caller, under which its work is stored. */
export function nameOf({ limits }: Pick<Caller, 'limits'>): string {
  return limits[0].key
}

/** Returns the caller with a stored name, if its key is still valid. */
export function ofName(
  name: string,
  keys: readonly ApiKey.StoredKey[],
  allowances: Allowances,
): Caller | undefined {
  if (name.startsWith(ADDRESS)) {
    const [address = ''] = name.slice(ADDRESS.length).split('/')
    return ofAddress(IpAddress.parse(address), allowances)
  }
  const key = keys.find((one) => `${KEY}${ApiKey.id(one)}` === name && one.revokedAt === undefined)
  return key && ofKey(key, allowances)
}

/** Pattern of the names of all callers without a key, as of SQL's `like`. */
export const ALL_ADDRESSES = `${ADDRESS}%`

/** Returns the pattern of the narrowest names that a name contains, as of SQL's `like`: of all networks of a /48, or of one caller. */
export function patternOf(name: string): string {
  return name.endsWith('::/48') ? `${name.slice(0, -'::/48'.length)}:%` : name
}

/** A name of a caller, and the allowance under it. */
export type NamedAllowance = readonly [name: string, allowance: Allowance]

/** Returns the allowance under each name of a caller. */
export function allowancesOf({
  limits: [own, ...wider],
  allowance,
}: Pick<Caller, 'limits' | 'allowance'>): readonly [NamedAllowance, ...NamedAllowance[]] {
  const named = ({ key, factor }: IpAddress.LimitKey): NamedAllowance => [
    key,
    factor === 1 ? allowance : multiply(allowance, factor),
  ]
  return [named(own), ...wider.map(named)]
}

function multiply(allowance: Allowance, factor: number): Allowance {
  const all = Object.entries(allowance).map(([name, value]) => [
    name,
    value === undefined ? value : value * factor,
  ])
  return Object.fromEntries(all)
}
