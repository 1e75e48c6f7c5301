/** Limits of the requests of all lanes. */
export interface Limits {
  /** Maximum number of requests in flight in one lane. */
  readonly perLane: number
  /** Maximum number of requests in flight to one node. */
  readonly perNode: number
  /** Maximum number of requests in flight in all lanes together. */
  readonly inAll: number
  /** Number of unsent bytes above which no request starts. */
  readonly unsentBytes: number
}

/** A request as its lane gets it. */
export interface Entry {
  /** Name of the node to which the request goes. */
  readonly node: string
  readonly bytes: number
  /** Called once, when the limits allow the request to start. */
  readonly start: (slot: Slot) => void
}

/** What a request occupies from its start on. Repeated calls have no effect. */
export interface Slot {
  /** Reports that the request left this machine, so that its bytes no longer occupy memory. */
  markSent(): void
  /** Reports that the request has ended. */
  leave(): void
}

/** A request that has entered a lane. */
export interface Ticket {
  /** True while the request waits because its node has the maximum number of requests in flight. */
  readonly isBehindNode: boolean
}

/** The requests of one run. */
export interface Lane {
  /**
   * Adds a request, which starts as soon as the limits allow it, perhaps at once. Requests of the lane start in the
   * order in which they were added, except that full nodes are skipped.
   */
  enter(entry: Entry): Ticket
  /** Removes all requests, queued or in flight. Later requests never start. */
  close(): void
}

/**
 * Scheduler of the requests of all runs; created by {@link create}. Lanes take turns. A lane starts another request
 * only while it has fewer than a quarter of the free slots in flight. Therefore lanes whose requests are not answered
 * leave slots to others: one lane uses at most a fifth of all slots, and ten lanes at most 90 %.
 */
export interface Lanes {
  open(): Lane
  /** Number of requests in flight. */
  readonly inFlight: number
  /** Number of requests that have not started. */
  readonly queued: number
}

/** Number of free slots that a lane needs for each of its requests in flight to start another one. */
const FREE_SLOTS = 4

interface NodeState {
  inFlight: number
  /** Requests to this node that have not started, oldest first. */
  readonly waiting: Set<Request>
}

interface LaneState {
  readonly inFlight: Set<Request>
  /** Requests that have not started, oldest first. */
  readonly waiting: Set<Request>
  isClosed: boolean
}

interface Request extends Entry {
  readonly lane: LaneState
  unsentBytes: number
}

interface Scheduler {
  readonly limits: Limits
  /** The nodes that have requests. */
  readonly nodes: Map<string, NodeState>
  /** The lanes that have waiting requests. The next one to start a request is first. */
  readonly turns: Set<LaneState>
  inFlight: number
  unsentBytes: number
  queued: number
  /** True if a lane waits for slots or bytes that any other lane may free. */
  isTight: boolean
}

/** Returns a scheduler without lanes. It needs no clock: it acts only when a request enters, is sent or leaves. */
export function create(limits: Limits): Lanes {
  const scheduler: Scheduler = {
    limits,
    nodes: new Map(),
    turns: new Set(),
    inFlight: 0,
    unsentBytes: 0,
    queued: 0,
    isTight: false,
  }
  return {
    open() {
      const lane: LaneState = { inFlight: new Set(), waiting: new Set(), isClosed: false }
      return {
        enter: (entry) => enter(scheduler, { ...entry, lane, unsentBytes: 0 }),
        close: () => close(scheduler, lane),
      }
    },
    get inFlight() {
      return scheduler.inFlight
    },
    get queued() {
      return scheduler.queued
    },
  }
}

function enter(scheduler: Scheduler, request: Request): Ticket {
  const { lane } = request
  if (lane.isClosed) return { isBehindNode: false }
  nodeOf(scheduler, request.node).waiting.add(request)
  lane.waiting.add(request)
  scheduler.turns.add(lane)
  scheduler.queued += 1
  // No earlier request can start, so this is the only one that may.
  if (isOpen(scheduler, request.node) && hasRoom(scheduler, lane)) start(scheduler, request)
  return {
    get isBehindNode() {
      return lane.waiting.has(request) && !isOpen(scheduler, request.node)
    },
  }
}

function close(scheduler: Scheduler, lane: LaneState): void {
  lane.isClosed = true
  for (const request of lane.waiting) {
    dequeue(scheduler, request)
    forget(scheduler, request.node)
  }
  const freed = [...lane.inFlight]
  for (const request of freed) release(scheduler, request)
  advance(scheduler, lane, freed)
}

function leave(scheduler: Scheduler, request: Request): void {
  if (!request.lane.inFlight.has(request)) return
  release(scheduler, request)
  advance(scheduler, request.lane, [request])
}

function markSent(scheduler: Scheduler, request: Request): void {
  scheduler.unsentBytes -= request.unsentBytes
  request.unsentBytes = 0
  if (scheduler.isTight) startAll(scheduler)
}

/** Starts the requests that can start after some requests of a lane have left. */
function advance(scheduler: Scheduler, lane: LaneState, freed: readonly Request[]): void {
  if (scheduler.isTight) {
    startAll(scheduler)
  } else {
    // Every waiting request waits for its own node or its own lane.
    for (const { node } of freed) startForNode(scheduler, node)
    while (startNext(scheduler, lane));
  }
}

/** Starts requests of all lanes in turn while any of them may start one. */
function startAll(scheduler: Scheduler): void {
  scheduler.isTight = false
  // A lane that starts a request moves to the end of the set, so the loop comes back to it.
  for (const lane of scheduler.turns) startNext(scheduler, lane)
}

/** Starts requests to a node, oldest first, until it is full. */
function startForNode(scheduler: Scheduler, name: string): void {
  for (const request of scheduler.nodes.get(name)?.waiting ?? []) {
    if (!isOpen(scheduler, name)) return
    if (hasRoom(scheduler, request.lane)) start(scheduler, request)
  }
}

/** Starts the first request of a lane whose node is not full. Returns false if no request could start. */
function startNext(scheduler: Scheduler, lane: LaneState): boolean {
  for (const request of lane.waiting) {
    if (!isOpen(scheduler, request.node)) continue
    if (!hasRoom(scheduler, lane)) return false
    start(scheduler, request)
    return true
  }
  return false
}

function start(scheduler: Scheduler, request: Request): void {
  const { lane, bytes } = request
  dequeue(scheduler, request)
  if (scheduler.turns.delete(lane)) scheduler.turns.add(lane)
  lane.inFlight.add(request)
  nodeOf(scheduler, request.node).inFlight += 1
  request.unsentBytes = bytes
  scheduler.unsentBytes += bytes
  scheduler.inFlight += 1
  request.start({
    markSent: () => markSent(scheduler, request),
    leave: () => leave(scheduler, request),
  })
}

/** Takes a waiting request out of the queues of its lane and its node. */
function dequeue(scheduler: Scheduler, request: Request): void {
  const { lane } = request
  lane.waiting.delete(request)
  if (lane.waiting.size === 0) scheduler.turns.delete(lane)
  nodeOf(scheduler, request.node).waiting.delete(request)
  scheduler.queued -= 1
}

/** Frees what a request in flight occupies. */
function release(scheduler: Scheduler, request: Request): void {
  request.lane.inFlight.delete(request)
  nodeOf(scheduler, request.node).inFlight -= 1
  scheduler.unsentBytes -= request.unsentBytes
  request.unsentBytes = 0
  scheduler.inFlight -= 1
  forget(scheduler, request.node)
}

/** Returns the state of a node, which is new if the node has no requests. */
function nodeOf({ nodes }: Scheduler, name: string): NodeState {
  const known = nodes.get(name) ?? { inFlight: 0, waiting: new Set() }
  nodes.set(name, known)
  return known
}

/** Removes the state of a node that has no requests. */
function forget({ nodes }: Scheduler, name: string): void {
  const node = nodes.get(name)
  if (node?.inFlight === 0 && node.waiting.size === 0) nodes.delete(name)
}

/** Returns whether another request to the node may be in flight. */
function isOpen({ limits, nodes }: Scheduler, name: string): boolean {
  return (nodes.get(name)?.inFlight ?? 0) < limits.perNode
}

/** Returns whether another request of the lane may be in flight. */
function hasRoom(scheduler: Scheduler, lane: LaneState): boolean {
  const { limits, inFlight, unsentBytes } = scheduler
  if (lane.inFlight.size >= limits.perLane) return false
  const isShareLeft = FREE_SLOTS * lane.inFlight.size < limits.inAll - inFlight
  if (isShareLeft && unsentBytes < limits.unsentBytes) return true
  scheduler.isTight = true
  return false
}
