#!/usr/bin/env bash
# The tour as commands. NODE is a node's URL, KEYS a file with one funded key (ADDRESS its part of an address after "P-",
# ACCOUNT its C-chain account), VALIDATOR a NodeID, NODES a list of the first validators of the L1, NODE_ID and SIGNER
# (a response of info.getNodeID) its next validator, AGGREGATOR a signature aggregator. send_message sends a Warp message.
set -euo pipefail
node=(--keys "$KEYS" --upstream "$NODE" --send)
value() { awk -v name="$1" '$1 == name { print $2 }'; }

firn tx transfer "P-$ADDRESS=1.5" "${node[@]}"
firn tx export "X-$ADDRESS=4" --chain P "${node[@]}"
firn tx import --chain X --source P "${node[@]}"
firn tx export "C-$ADDRESS=3" --chain X "${node[@]}"
firn tx import --chain C --source X "${node[@]}"
firn tx export "P-$ADDRESS=2" --chain C "${node[@]}"
firn tx import --chain P --source C "${node[@]}"
firn tx delegate --node-id "$VALIDATOR" --stake 25 --end +15d "${node[@]}"
subnet=$(firn tx create-subnet "${node[@]}" | value subnetId)
firn tx convert-to-l1 --subnet-id "$subnet" --chain-id "$C_CHAIN" --manager-address "$ACCOUNT" --validators "$NODES" "${node[@]}"

message=$(firn message register-l1-validator --subnet-id "$subnet" --node-id "$NODE_ID" --signer "$SIGNER" --weight 20 \
  --owner "P-$ADDRESS" --source-chain "$C_CHAIN" --source-address "$ACCOUNT" --network "$NETWORK" | value message)
send_message "$message"
firn aggregate "$message" --aggregator "$AGGREGATOR" > signed.hex
firn tx register-l1-validator --message signed.hex --proof-of-possession "$SIGNER" --balance 1 "${node[@]}"
