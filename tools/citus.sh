#!/usr/bin/env bash
# Checks that a Citus cluster has what Firn's tests on Citus need, and prints what is missing:
#
#   tools/citus.sh postgres://firn@127.0.0.1:9700/firn
#   FIRN_CITUS_URL=postgres://firn@127.0.0.1:9700/firn npm test -- --no-file-parallelism packages/evm-store services/data-api/src/evm
#
# The URL names a database on the coordinator. The tests create schemas in it and drop them again. Chains of tests that
# otherwise use PostgreSQL are then distributed over the workers. Test files must run one after the other, because Citus
# reports deadlocks if several processes distribute tables at the same time.
set -uo pipefail
url=${1:?usage: tools/citus.sh <URL of a database on the coordinator>}
missing=0

ask() { psql -XAtq "$url" -c "$1" 2>&1; }
# Prints the remedy unless the answer to the query is `t`.
need() {
  local found
  found=$(ask "$1")
  [ "$found" = t ] && return
  echo "missing: $2 (${found:-no answer})"
  missing=1
}
everywhere() { echo "select bool_and(success and result = 't') from run_command_on_all_nodes(\$\$$1\$\$)"; }

need "select count(*) > 0 from pg_extension where extname = 'citus'" 'the extension citus in the database, on every server'
[ $missing = 0 ] || exit 1
need "select split_part(extversion, '.', 1)::int >= 12 from pg_extension where extname = 'citus'" \
  'Citus 12 or later, which can distribute schemas'
need 'select count(*) >= 2 from citus_get_active_worker_nodes()' 'two active workers: see citus_add_node'
need "select nodename <> 'localhost' from pg_dist_node where groupid = 0" \
  'the address of the coordinator: see citus_set_coordinator_host'
need "$(everywhere "select current_setting('wal_level') = 'logical'")" 'wal_level=logical on every server, to move chains'
need "$(everywhere "select current_setting('max_prepared_transactions')::int > 0")" 'max_prepared_transactions on every server'
need "select rolsuper from pg_roles where rolname = current_user" 'a superuser: the tests end connections'
[ $missing = 0 ] && echo 'nothing is missing'
exit $missing
