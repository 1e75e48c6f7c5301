// Names the tests that do not end.

/** Time after which a running test is named, and names again after twice the time. */
const FIRST_MS = 120_000
const LOOK_MS = 10_000

/** @typedef {import('vitest/node').TestCase | import('vitest/node').TestSuite | import('vitest/node').TestModule} Entity */
/** @typedef {{ name: string, module: string, since: number, nextMs: number }} Running */

/**
 * A reporter of vitest that prints the names of tests and hooks that take minutes. It ends the run if one of them exceeds
 * `limitMs`, because vitest cannot interrupt a test that blocks its worker.
 */
export class HangingTests {
  /** @type {Map<string, Running>} */
  #running = new Map()
  #limitMs
  #now
  /** @type {NodeJS.Timeout | undefined} */
  #timer

  /** @param {number} limitMs @param {() => number} now */
  constructor(limitMs, now = performance.now.bind(performance)) {
    this.#limitMs = limitMs
    this.#now = now
  }

  onTestRunStart() {
    this.#timer ??= setInterval(() => this.look(), LOOK_MS).unref()
  }

  onTestRunEnd() {
    clearInterval(this.#timer)
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseReady(test) {
    // Both may be reported at once, in any order.
    if (test.result().state === 'pending') this.#begin(test.id, test)
  }

  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    this.#running.delete(test.id)
  }

  /** @param {import('vitest/node').ReportedHookContext} hook */
  onHookStart({ name, entity }) {
    this.#begin(`${entity.id} ${name}`, entity, ` > ${name}`)
  }

  /** @param {import('vitest/node').ReportedHookContext} hook */
  onHookEnd({ name, entity }) {
    this.#running.delete(`${entity.id} ${name}`)
  }

  /** @param {import('vitest/node').TestModule} module */
  onTestModuleEnd(module) {
    for (const [id, running] of this.#running) if (running.module === module.id) this.#running.delete(id)
  }

  /** Prints the tests that have been running for long. Ends the process if one has reached the limit. */
  look() {
    const now = this.#now()
    const late = [...this.#running.values()].filter(({ since }) => now - since > this.#limitMs + FIRST_MS)
    for (const running of this.#running.values()) {
      if (now - running.since < running.nextMs && !late.includes(running)) continue
      running.nextMs *= 2
      console.error(`running for ${Math.round((now - running.since) / 1_000)} s: ${running.name}`)
    }
    if (late.length === 0) return
    console.error('The run ends, because a test does not. FIRN_TEST_MINUTES sets the limit.')
    process.exit(1)
  }

  /** @param {string} id @param {Entity} entity */
  #begin(id, entity, hook = '') {
    const module = (entity.type === 'module' ? entity : entity.module).id
    this.#running.set(id, { name: nameOf(entity) + hook, module, since: this.#now(), nextMs: FIRST_MS })
  }
}

/** @param {Entity} entity */
const nameOf = (entity) =>
  entity.type === 'module'
    ? entity.relativeModuleId
    : `${entity.module.relativeModuleId} > ${entity.fullName}`
