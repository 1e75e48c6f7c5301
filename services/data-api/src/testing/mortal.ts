import type { ServiceStore } from '@firn/service-store'

/** A store whose process can die. For tests only. */
export interface Mortal {
  readonly store: ServiceStore
  /** Makes everything that the process writes from now on fail. Open transactions are rolled back. */
  kill(): void
}

/** Returns a view of a store that stops working when the process that has it is killed. For tests only. */
export function mortal<S extends ServiceStore>(store: S): Mortal {
  let isDead = false
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    isDead ? Promise.reject(new Error('the process is dead')) : work()
  const { driver } = store
  const view = Object.create(store, {
    driver: {
      value: {
        ...driver,
        listen: driver.listen.bind(driver),
        control: (text: string, values?: readonly unknown[]) => alive(() => driver.control(text, values)),
        transaction: <T>(work: Parameters<typeof driver.transaction<T>>[0]) =>
          alive(() =>
            driver.transaction(async (session) => {
              const result = await work({
                ...session,
                query: (text, values) => alive(() => session.query(text, values)),
              })
              if (isDead) throw new Error('the process is dead')
              return result
            }),
          ),
      },
    },
  })
  return {
    store: view,
    kill() {
      isDead = true
    },
  }
}
