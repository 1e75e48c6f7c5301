import { weightOf } from './bodies.ts'
import type { Door } from './Door.ts'
import type { Meter } from './Meter.ts'
import { readMembers } from './members.ts'
import { isOpen } from './openRoutes.ts'
import { type Caller, type Extent, type Step, stepsOf, targetOf } from './plan.ts'
import { createReference, type Reference } from './Reference.ts'
import { PLAIN, withBody } from './shots.ts'
import type { Received } from './Wire.ts'

/** The outcome of one request. Times are processor times in µs. For tests only. */
export interface Outcome {
  readonly step: Step
  readonly status: number
  readonly cpu: number
  /** Cost of the reference to the bare server, and what the request may cost. */
  readonly bare: number
  readonly limit: number
  readonly problem: string | undefined
}

/** What a request may cost besides a multiple of its reference, in plain requests to the bare server. */
const EXTRA = { cost: 40, refusal: 10 } as const
/** Times that a refusal may cost what it costs to read the same bytes. */
const REFUSAL_FACTOR = 2
/**
 * Number of comparisons before a request is said to be too dear, and number of measurements in each. A busy machine makes
 * all requests dearer, so a request and its reference are measured in turns, and the cheapest of each are compared.
 */
const ATTEMPTS = 6
const TURNS = 3
/** Number of addresses whose units are used up before a server is said to serve callers beyond their limit. */
const SPENDING_ATTEMPTS = 3
const MINUTE_MS = 60_000
/** Number of requests by which an address must be beyond its limit. */
const MOST_SPENDING = 400
/** Bytes of a body without end that may be sent beyond the maximum, because buffers hold them: the least, and a share. */
const BUFFERED = 16 * 2 ** 20
const BUFFERED_SHARE = 0.25

/**
 * Sends dear requests to all routes of all servers, and calls `report` with each outcome. `isWalked` selects requests. For
 * tests only.
 */
export async function walk(
  meter: Meter,
  extent: Extent,
  report: (outcome: Outcome) => void,
  isWalked = (_step: Step): boolean => true,
): Promise<void> {
  const reference = createReference(meter)
  const freshAddress = createAddresses()
  for (const door of meter.doors) {
    const steps = stepsOf(door, extent, await readMembers(door.url)).filter(isWalked)
    const shoot = createShooter(meter, door, freshAddress)
    for (const step of steps) report({ step, ...(await judge(step, shoot, reference)) })
  }
}

/** Returns a new address with each call. */
function createAddresses(): () => string {
  let count = 0
  return () => {
    count += 1
    return `198.${18 + (count >> 16)}.${(count >> 8) & 255}.${count & 255}`
  }
}

type Measured = Received & { readonly cpu: number }
type Shoot = (step: Step) => Promise<Measured>

/** Returns a function that sends the request of a step as its caller. */
function createShooter({ measure }: Meter, door: Door, freshAddress: () => string): Shoot {
  let spent: { readonly address: string; readonly minute: number } | undefined
  const spend = async (): Promise<string> => {
    const address = freshAddress()
    const { method, path, body } = door.spending ?? { method: 'GET', path: '/' }
    const target = { method, path, headers: { 'x-forwarded-for': address }, headerBytes: 0, until: undefined }
    // A plain request may still be served when a dear one no longer is.
    for (const sent of [...(body === undefined ? [] : [withBody(target, body)]), PLAIN(target)]) {
      for (let count = 0; count < MOST_SPENDING; count++) {
        if ((await measure(door.url, sent)).status === 429) break
      }
    }
    return address
  }
  const headersOf: { readonly [C in Caller]: () => Promise<Readonly<Record<string, string>>> } = {
    'within limits': async () => ({ 'x-forwarded-for': freshAddress() }),
    'unknown key': async () => ({ 'x-forwarded-for': freshAddress(), ...door.unknownKey }),
    'key beyond its limit': async () => ({ 'x-forwarded-for': freshAddress(), ...door.spentKey }),
    'address beyond its limit': async () => {
      const minute = Math.floor(Date.now() / MINUTE_MS)
      if (spent?.minute !== minute) spent = { address: await spend(), minute }
      return { 'x-forwarded-for': spent.address }
    },
  }
  const once = async (step: Step) =>
    measure(door.url, step.make(targetOf(step, await headersOf[step.caller]())))
  return async (step) => {
    let received = await once(step)
    if (!isLimited(step)) return received
    // A new minute may have begun since the units were used up.
    for (let count = 1; count < SPENDING_ATTEMPTS && isServed(received); count++) {
      spent = undefined
      received = await once(step)
    }
    return received
  }
}

/** Returns whether the caller of a step must be refused because of its limit. */
const isLimited = ({ caller, door, route }: Step): boolean =>
  caller.endsWith('beyond its limit') && !isOpen(door.server, route.method, route.path)

/** Statuses of refusals that come before a limit, or because of it. */
const REFUSED = [401, 403, 429]
/** A connection that was closed without an answer (0) was not served. */
const isServed = ({ status }: Received) => status !== 0 && !REFUSED.includes(status)

async function judge(step: Step, shoot: Shoot, reference: Reference): Promise<Omit<Outcome, 'step'>> {
  if (step.kind === 'end') {
    const measured = await shoot(step)
    const isEnded = measured.taken <= step.door.bodyBytes * (1 + BUFFERED_SHARE) + BUFFERED
    const problem = isEnded ? undefined : `took ${Math.round(measured.taken / 2 ** 20)} MiB`
    return { ...measured, bare: 0, limit: 0, problem }
  }
  const { door, route } = step
  const isAdmitted = step.kind === 'cost' || isOpen(door.server, route.method, route.path)
  const extra = isAdmitted ? EXTRA.cost : EXTRA.refusal
  const factor = step.kind === 'cost' ? door.factor * weightOf(step.name) : REFUSAL_FACTOR
  let bare = await reference.cost(step)
  let limit = factor * bare + extra * (await reference.plain())
  let measured = await shoot(step)
  for (let count = 1; count < ATTEMPTS && measured.cpu > limit && measured.status >= 0; count++) {
    let plain = Number.POSITIVE_INFINITY
    bare = plain
    for (let turn = 0; turn < TURNS; turn++) {
      const beside = await reference.now(step)
      const again = await shoot(step)
      bare = Math.min(bare, beside.bare)
      plain = Math.min(plain, beside.plain)
      if (turn === 0 || again.cpu < measured.cpu) measured = again
    }
    limit = factor * bare + extra * plain
  }
  return { ...measured, bare, limit, problem: problemOf(step, measured, limit) }
}

function problemOf(step: Step, measured: Measured, limit: number): string | undefined {
  const { status, cpu } = measured
  if (status < 0) return step.kind === 'refusal' ? 'waits for the body' : 'no answer'
  if (cpu > limit) return 'too dear'
  return isLimited(step) && isServed(measured) ? 'is served beyond the limit' : undefined
}
