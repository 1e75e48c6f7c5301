import { Hex, Id } from '@firn/codec'
import { SignedMessage, type UnsignedMessage } from '@firn/warp'
import * as Case from './Case.ts'
import * as Outcome from './Outcome.ts'
import { checkFacts } from './recording/facts.ts'
import { checkAnswerOfNode } from './recording/nodeAnswer.ts'
import { checkRefused } from './recording/refused.ts'
import * as Request from './recording/request.ts'
import { checkSigned, isSignedBy, rebuildSet } from './recording/signed.ts'

/** Default quorum of the Go aggregator, in percent, for requests without a quorum. */
const DEFAULT_PERCENTAGE = 67

/** Returns whether a file contains a recorded exchange with an aggregator. */
export function isRecording(content: unknown): boolean {
  return typeof content === 'object' && content !== null && Object.hasOwn(content, 'exchange')
}

/** Returns whether a file contains responses of one node to signature requests. */
export function isNodeAnswers(content: unknown): content is readonly Case.RawCase[] {
  return (
    Array.isArray(content) && content.length > 0 && content.every((it) => Object.hasOwn(Object(it), 'op'))
  )
}

/**
 * Checks one response of a node. `all` contains the folder's recordings, whose validator sets contain the
 * node's key.
 */
export function runNodeAnswer(raw: Case.RawCase, all: readonly Case.RawCase[]): Outcome.Outcome {
  return Outcome.of(() => {
    const it = Case.create(raw)
    const outcome = checkAnswerOfNode(it, all)
    // These fields describe the response and its duration.
    Case.ignore(it, 'what', 'ms', 'errorMessage', 'errorCode')
    if (outcome === undefined) Case.close(it)
    return outcome
  })
}

/**
 * Checks one recording. `all` contains all recordings of its folder, because some validator sets are stored
 * in other recordings.
 */
export function run(raw: Case.RawCase, all: readonly Case.RawCase[]): Outcome.Outcome {
  return Outcome.of(() => {
    const it = Case.create(raw)
    const exchange = Case.record(it, 'exchange')
    const outcome = check(it, exchange, all)
    // These fields contain the file's name, a description, HTTP details and the time.
    Case.ignore(it, 'label', 'kind', 'era', 'note', 'block', 'pChainHeights')
    Case.ignore(exchange, 'method', 'path', 'headers', 'status', 'responseHeaders', 'seconds')
    if (outcome?.status === 'skipped') return outcome
    Case.close(exchange)
    Case.close(it)
    return outcome
  })
}

function check(
  it: Case.Case,
  exchange: Case.Case,
  all: readonly Case.RawCase[],
): Outcome.Outcome | undefined {
  if (!Request.isAggregation(exchange)) {
    return Outcome.skipped(
      `not an aggregation request: ${Case.text(exchange, 'method')} ${Case.text(exchange, 'path')}`,
    )
  }
  const request = Request.read(exchange)
  const message = request === undefined ? undefined : Case.attempt(() => Request.message(request))?.value
  if (request !== undefined && message !== undefined) checkFacts(it, request, message)
  const recorded = Case.has(it, 'validatorSet') ? Case.record(it, 'validatorSet') : undefined
  const set = recorded === undefined ? undefined : rebuildSet(recorded)
  if (recorded !== undefined) checkOrigin(it, recorded, request)
  if (!Case.has(it, 'signedMessage')) {
    if (recorded !== undefined) Case.close(recorded)
    return Case.number(exchange, 'status') === 200
      ? Outcome.skipped('the response has no body')
      : checkRefused(exchange)
  }
  const bytes = Case.bytes(it, 'signedMessage')
  checkAnswer(exchange, bytes, message)
  if (recorded === undefined || set === undefined) return checkByOthers(it, bytes, request, all)
  checkSigned(bytes, recorded, set)
  Case.close(recorded)
  return undefined
}

/**
 * Checks that the validator set belongs to the requested subnet and P-chain height. If no height was
 * requested, it must belong to the height that the node proposed.
 */
function checkOrigin(it: Case.Case, recorded: Case.Case, request: Request.Request | undefined): void {
  const heights = Case.record(it, 'pChainHeights')
  Case.same('currentHeight', Case.text(heights, 'current'), String(Case.number(recorded, 'currentHeight')))
  Case.same('proposedHeight', Case.text(heights, 'proposed'), String(Case.number(recorded, 'proposedHeight')))
  Case.close(heights)
  Case.equals(recorded, 'pChainHeight', request?.pChainHeight ?? Case.number(recorded, 'proposedHeight'))
  const subnetId = Id.parse(Case.text(recorded, 'subnetID'))
  const asked = request?.signingSubnet
  // The Go aggregator also accepts a subnet id in hexadecimal form.
  if (asked !== undefined)
    Case.same('subnetID', asked.startsWith('0x') ? Hex.decode(asked) : Id.parse(asked), subnetId)
}

/** Checks that the response contains a signed message and that the message is the requested one. */
function checkAnswer(
  exchange: Case.Case,
  bytes: Uint8Array,
  message: UnsignedMessage.UnsignedMessage | undefined,
): void {
  const answer = JSON.parse(Case.text(exchange, 'responseBody')) as Readonly<Record<string, unknown>>
  Case.same('responseBody', { 'signed-message': Hex.encodeBare(bytes) }, answer)
  if (message !== undefined)
    Case.same('signed message in the response', message, SignedMessage.decode(bytes).unsigned)
}

/**
 * Verifies a message whose recording contains no validator set. Uses the validator sets that other recordings contain
 * for the same height.
 */
function checkByOthers(
  it: Case.Case,
  bytes: Uint8Array,
  request: Request.Request | undefined,
  all: readonly Case.RawCase[],
): Outcome.Outcome | undefined {
  const current = Case.text(Case.record(it, 'pChainHeights'), 'current')
  const sets = all
    .filter((raw) => Object.hasOwn(raw, 'validatorSet'))
    .map((raw) => Case.record(Case.create(raw), 'validatorSet'))
    .filter((recorded) => String(Case.number(recorded, 'currentHeight')) === current)
  const { signingSubnet } = request ?? {}
  const usable = sets.filter(
    (recorded) => signingSubnet === undefined || Case.text(recorded, 'subnetID') === signingSubnet,
  )
  if (usable.length === 0) return Outcome.skipped('no validator set was recorded at this height')
  Case.same(
    'signature by a validator set of this height',
    true,
    usable.some((recorded) => isSignedBy(bytes, rebuildSet(recorded), DEFAULT_PERCENTAGE)),
  )
  return undefined
}
