prob ../../../examples/correct/snap.dp --mechanism snap
