netloom map -n 'dragonfly(a=4,p=2,h=2,g=9)' --cores 8 --ranks 512 -t 'stencil(8,8,8,bytes="64 KiB")' --optimise auto --swaps 20000 --emit rankfile -o maps
