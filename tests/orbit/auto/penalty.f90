! The scene penalty.yaml for AUTO-07p: x'' + damping x' + x = amplitude cos(omega t) + k P(x + gap) + dashpot dP/dt.
!
! cos(omega t) is c of the oscillator c' = c - omega s - c (c^2 + s^2), s' = s + omega c - s (c^2 + s^2), whose circle attracts: its
! multipliers are 1 and exp(-2 T). The fifth parameter is the logarithm of k: walls from soft to hard are one run.

subroutine func(ndim, u, icp, par, ijac, f, dfdu, dfdp)
    implicit none
    integer, intent(in) :: ndim, icp(*), ijac
    double precision, intent(in) :: u(ndim), par(*)
    double precision, intent(out) :: f(ndim)
    double precision, intent(inout) :: dfdu(ndim, ndim), dfdp(ndim, *)
    double precision :: omega, amplitude, damping, gap, k, zeta, softness, round, dashpot, y, depth, touching, circle

    omega = par(1)
    amplitude = par(2)
    damping = par(3)
    gap = par(4)
    k = 10d0**par(5)
    zeta = par(6)
    softness = par(7)
    round = softness/k**0.75d0
    dashpot = 2d0*zeta*sqrt(k)

    y = u(1) + gap
    depth = max(0d0, -y) + round*log(1d0 + exp(-abs(y)/round))
    touching = 0.5d0*(1d0 - tanh(0.5d0*y/round))
    circle = u(3)**2 + u(4)**2

    f(1) = u(2)
    f(2) = amplitude*u(3) - u(1) - damping*u(2) + k*depth - dashpot*u(2)*touching
    f(3) = u(3) - omega*u(4) - u(3)*circle
    f(4) = u(4) + omega*u(3) - u(4)*circle
end subroutine func

! At rest without forcing, far from the wall, once around the circle.
subroutine stpnt(ndim, u, par, t)
    implicit none
    integer, intent(in) :: ndim
    double precision, intent(inout) :: u(ndim), par(*)
    double precision, intent(in) :: t
    double precision, parameter :: turn = 8d0*atan(1d0)

    par(1:7) = (/0.75d0, 0d0, 0.05d0, 1d0, log10(40d0), 0d0, 2d0/)
    par(11) = turn/par(1)
    u(1) = 0d0
    u(2) = 0d0
    u(3) = cos(turn*t)
    u(4) = sin(turn*t)
end subroutine stpnt

subroutine bcnd
end subroutine bcnd

subroutine icnd
end subroutine icnd

subroutine fopt
end subroutine fopt

subroutine pvls
end subroutine pvls
