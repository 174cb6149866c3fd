# SPDX-License-Identifier: Apache-2.0
"""An implementation that puts a pipe in the place of its log, and then does not say hello."""
import os
import sys

sys.stdin.readline()
os.remove(sys.argv[1])
os.mkfifo(sys.argv[1])
sys.exit(3)
