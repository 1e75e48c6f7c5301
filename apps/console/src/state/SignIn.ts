import { link } from '../Routes.ts'
import { useRender } from './useRender.ts'

/** Whether this tab is signed in to the pages for operators. */
export interface SignIn {
  /** Token that is sent with requests for operators; undefined if nobody is signed in. */
  readonly token?: string | undefined
  /** What to tell about the last attempt: that it is in progress, or why it failed. */
  readonly note?: string | undefined
}

/** Storage of this tab. Cookies would be sent to other ports of this machine as well. */
const KEY = 'firn-operator'
/** Address with the code of a link. */
const CODE = /^#operator=([\w-]+)$/

let current: SignIn = { token: stored() }
const listeners = new Set<() => void>()

function stored(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined
  } catch {
    return undefined
  }
}

function change(next: SignIn): void {
  current = next
  try {
    if (next.token === undefined) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, next.token)
  } catch {
    // Without storage, the token lasts until the page is closed.
  }
  for (const listener of listeners) listener()
}

/** Signs in if the address has the code of a link, now or later. Call it before the first page is shown. */
export function start(): void {
  take()
  addEventListener('hashchange', take)
}

function take(): void {
  const code = CODE.exec(location.hash)?.[1]
  if (code === undefined) return
  // Neither the history nor a bookmark may have the code.
  history.replaceState(null, '', link('operateLog'))
  change({ note: 'Signing in…' })
  exchange(code).then(
    (token) => change({ token }),
    (error: Error) => change({ note: error.message }),
  )
}

async function exchange(code: string): Promise<string> {
  const url = new URL('./operate/sign-in', location.href)
  const response = await fetch(url, { method: 'POST', headers: { 'x-operator-code': code } })
  const { token, message } = (await response.json()) as { token?: string; message?: string }
  if (token === undefined) throw new Error(`Sign-in failed: ${message}.`)
  return token
}

/** Forgets the token after a service has refused it. */
export function end(): void {
  const note = 'You were signed out: the service was restarted, or twelve hours have passed.'
  if (current.token !== undefined) change({ note })
}

/** Returns the state, and renders the component again when it changes. */
export function useSignIn(): SignIn {
  useRender(listeners)
  return current
}
