# Installs the peers and builds the programs of this folder; read by bodies.sh and distance.sh, in the root, with B set to the folder of the programs.
tools/install-deps peers
cmake --preset release --log-level=WARNING >/dev/null
cmake --build build -j "${JOBS:-2}" --target ricochet ricochet_static >/dev/null
cmake -S bench/peers/bodies -B "$B" --log-level=WARNING >/dev/null
cmake --build "$B" -j "${JOBS:-2}" >/dev/null
if [ ! -d bench/peers/bodies/node_modules ]; then
    npm install --prefix bench/peers/bodies --no-audit --no-fund --ignore-scripts --loglevel=error >/dev/null
fi

# all of it is compiled before a clock starts, which takes some seconds
# shellcheck disable=SC2034  # for those who read this
node_compiled='node --no-liftoff --no-wasm-dynamic-tiering --no-wasm-lazy-compilation'
